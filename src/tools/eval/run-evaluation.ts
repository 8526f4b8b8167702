import { readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { describeMachine } from '../describe-machine.js'
import { PROJECT_FOLDER } from '../project-folder.js'
import { evaluatePairs, type EvaluatedPair } from './evaluate-pairs.js'
import type {
  EvaluationReport,
  EvaluationRun,
  MeasureReport,
  PackNames,
} from './evaluation-report.js'
import { MEASURES } from './measures/all-measures.js'
import type { EvaluationTask, Measure } from './measures/measure.js'
import type { ProfilePairs } from './read-profiles.js'
import { openService } from './service-under-test.js'
import { showProgress } from './show-progress.js'

const LIBRARIES = ['onnxruntime-node', 'node-llama-cpp', '@xenova/transformers', 'sharp']

/** What to evaluate. */
export interface EvaluationSettings extends Pick<
  EvaluationTask,
  'seed' | 'photosFolder' | 'perplexityPack'
> {
  data: ProfilePairs
  /** Evaluated one after the other. */
  packs: readonly PackNames[]
  /** Names of measures. */
  only: readonly string[]
}

/** Runs the selected measures with each pair of packs. */
export async function runEvaluation(settings: EvaluationSettings): Promise<EvaluationReport> {
  const { data, packs, only, seed } = settings
  const measures = MEASURES.filter(({ name }) => only.includes(name))
  const runs: EvaluationRun[] = []
  for (const pair of packs) runs.push(await evaluatePacks(pair, measures, settings))
  return {
    date: new Date().toISOString(),
    data: { name: data.name, sha256: data.sha256, pairs: data.pairs.length },
    seed,
    machine: describeMachine(),
    versions: listVersions(),
    runs,
  }
}

async function evaluatePacks(
  packs: PackNames,
  measures: readonly Measure[],
  { data: { pairs }, seed, photosFolder, perplexityPack }: EvaluationSettings,
): Promise<EvaluationRun> {
  const startedAt = performance.now()
  const service = await openService(packs)
  const progressOf =
    (label: string) =>
    <T>(items: readonly T[]) =>
      showProgress(`${packs.clip} + ${packs.llm}: ${label}`, items)
  let evaluated: Promise<EvaluatedPair[]> | undefined
  const evaluatedPairs = () =>
    (evaluated ??= evaluatePairs(service, progressOf('match calls')(pairs)))
  try {
    const reports: MeasureReport[] = []
    for (const measure of measures) {
      const measureStartedAt = performance.now()
      const {
        metrics,
        plots = [],
        tables = [],
      } = await measure.run({
        service,
        pairs,
        evaluatedPairs,
        seed,
        photosFolder,
        perplexityPack,
        withProgress: progressOf(measure.name),
      })
      const seconds = secondsSince(measureStartedAt)
      const { name, title, about } = measure
      reports.push({ name, title, about, seconds, metrics, plots, tables })
    }
    const revisions = {
      vision: service.context.vision.revision(),
      llm: service.context.prompts().revision,
    }
    return { packs, revisions, seconds: secondsSince(startedAt), measures: reports }
  } finally {
    await service.close()
  }
}

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1_000
}

/** Versions of the service, of Node and of the libraries that compute, as installed. */
function listVersions(): Record<string, string> {
  const libraries = LIBRARIES.map((name) => [
    name,
    readVersion(path.join(PROJECT_FOLDER, 'node_modules', name)),
  ])
  return {
    service: readVersion(PROJECT_FOLDER),
    node: process.versions.node,
    ...Object.fromEntries(libraries),
  }
}

function readVersion(folder: string): string {
  const manifest = readFileSync(path.join(folder, 'package.json'), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
