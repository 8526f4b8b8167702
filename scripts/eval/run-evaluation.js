import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import process from 'node:process'
import { describeMachine } from '../../dist/tools/describe-machine.js'
import { projectDir } from '../prepare.js'
import { MEASURES } from './measures/all-measures.js'
import { openService } from './service-under-test.js'
import { showProgress } from './show-progress.js'

/** @typedef {Awaited<ReturnType<typeof runEvaluation>>} Report */

const LIBRARIES = ['onnxruntime-node', 'node-llama-cpp', '@xenova/transformers', 'sharp']

/**
 * Runs the chosen measures with each pair of packs, one after the other.
 * @param {object} options
 * @param {ReturnType<typeof import('./read-profiles.js').readProfiles>} options.data
 * @param {{ clip: string, llm: string }[]} options.packs
 * @param {readonly string[]} options.only - names of measures
 * @param {number} options.seed
 * @param {string | undefined} options.photosDir
 * @param {string} options.perplexityBy - see `Task`
 */
export async function runEvaluation({ data, packs, only, ...settings }) {
  const measures = MEASURES.filter(({ name }) => only.includes(name))
  const runs = []
  for (const pair of packs) {
    runs.push(await runPacks(pair, { data, measures, ...settings }))
  }
  return {
    date: new Date().toISOString(),
    data: { name: data.name, sha256: data.sha256, pairs: data.pairs.length },
    seed: settings.seed,
    machine: describeMachine(),
    versions: { service: versionOf(projectDir), node: process.versions.node, ...libraryVersions() },
    runs,
  }
}

/**
 * @param {{ clip: string, llm: string }} packs
 * @param {Omit<Parameters<typeof runEvaluation>[0], 'packs' | 'only'> & { measures: typeof MEASURES }} options
 */
async function runPacks(packs, { data, measures, ...settings }) {
  const startedAt = performance.now()
  const secondsSince = (/** @type {number} */ start) => (performance.now() - start) / 1_000
  const service = await openService(packs)
  try {
    const results = []
    for (const measure of measures) {
      const began = performance.now()
      const findings = await measure.run({
        service,
        pairs: data.pairs,
        ...settings,
        progress: (items) => showProgress(`${packs.clip} + ${packs.llm}: ${measure.name}`, items),
      })
      const { name, title, about } = measure
      results.push({ name, title, about, seconds: secondsSince(began), tables: [], ...findings })
    }
    const revisions = {
      vision: service.context.vision.revision(),
      llm: service.context.prompts().revision,
    }
    return { packs, revisions, seconds: secondsSince(startedAt), measures: results }
  } finally {
    await service.close()
  }
}

function libraryVersions() {
  const { resolve } = createRequire(import.meta.url)
  const folders = resolve.paths('x') ?? []
  return Object.fromEntries(
    LIBRARIES.map((name) => {
      const folder = folders.map((base) => path.join(base, name)).find((at) => versionOf(at))
      return [name, folder ? versionOf(folder) : 'missing']
    }),
  )
}

/** @returns {string | undefined} */
function versionOf(/** @type {string} */ folder) {
  try {
    return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')).version
  } catch {
    return undefined
  }
}
