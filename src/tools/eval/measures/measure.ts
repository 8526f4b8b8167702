import type { EvaluatedPair } from '../evaluate-pairs.js'
import type { Findings } from '../evaluation-report.js'
import type { Pair } from '../read-profiles.js'
import type { ServiceUnderTest } from '../service-under-test.js'

/** A group of metrics that are computed together. */
export interface Measure {
  /** For `--only` and for programs. */
  name: string
  /** For people. */
  title: string
  /** What the numbers mean. */
  about: string
  run(task: EvaluationTask): Promise<Findings>
}

/** Input of a measure. */
export interface EvaluationTask {
  service: ServiceUnderTest
  pairs: readonly Pair[]
  /** Replies to the match calls of every pair; the calls are made once for all measures. */
  evaluatedPairs: () => Promise<EvaluatedPair[]>
  /** Of the bootstrap. */
  seed: number
  /** Folder with one sub-folder of photos for each tag; undefined for the bundled photos. */
  photosFolder: string | undefined
  /** Language pack that computes perplexity. */
  perplexityPack: string
  /** Iterates over items while stderr shows the progress. */
  withProgress: <T>(items: readonly T[]) => Iterable<T>
}
