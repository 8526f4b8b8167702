import type { Machine } from '../describe-machine.js'
import type { Metric } from './metrics.js'
import type { Plot } from './report/plots.js'

/** `report.json`. */
export interface EvaluationReport {
  /** ISO 8601. */
  date: string
  data: { name: string; sha256: string; pairs: number }
  /** Of the bootstrap. */
  seed: number
  machine: Machine
  versions: Record<string, string>
  /** One for each pair of packs. */
  runs: EvaluationRun[]
}

/** All measures with one pair of packs. */
export interface EvaluationRun {
  packs: PackNames
  revisions: { vision: string; llm: string }
  seconds: number
  measures: MeasureReport[]
}

export interface PackNames {
  clip: string
  llm: string
}

export interface MeasureReport extends Required<Findings> {
  name: string
  title: string
  about: string
  seconds: number
}

/** Result of a measure. */
export interface Findings {
  metrics: Metric[]
  plots?: Plot[]
  tables?: ReportTable[]
}

export interface ReportTable {
  title: string
  columns: string[]
  rows: (string | number)[][]
}
