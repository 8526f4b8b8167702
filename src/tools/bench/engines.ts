import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startUpCall } from '../../inference/inference-call.js'
import type { LanguageHost } from '../../inference/language/engines/engine-host.js'
import type { Generation, GenerationRequest } from '../../inference/language/language.js'
import { openPack, type LlmPack } from '../../packs/open-pack.js'
import { roundTo } from '../../text/round-to.js'
import { describeMachine } from '../describe-machine.js'
import { PROJECT_FOLDER } from '../project-folder.js'
import { median } from '../statistics/quantile.js'
import type { BenchOptions } from './bench-options.js'
import { createOpenerRequests } from './engines/opener-requests.js'
import { loadPackPrompts, openLanguageHost } from './engines/open-language-host.js'
import { startEngine } from './engines/start-engine.js'
import { findPeer } from './peers/peer-process.js'
import { formatTable, publish, type Report } from './report/publish.js'
import { THREADS } from './service/start-standalone-worker.js'

const LLM_PACK = 'smollm2-135m-openers'
const COMPARED = 40
const CONCURRENCIES = [1, 4, 8]
const DEFAULT_ROUNDS = 3
const TEXTS_PER_ROUND = 16
/** As many as the language worker has by default. */
const SEQUENCES = 12
const UNDER_FAILURE = 64

interface SpeedRow {
  concurrency: number
  name: string
  medianMs: number
  tokensPerSecond: number
}

interface EnginesReport extends Report {
  /** Answers to the same prompts, most probable tokens only. */
  agreement: { compared: number; sameText: number; largestLogprobDifference: number }
  speed: SpeedRow[]
  /** One of two engines is killed while 8 texts are in generation. */
  failure: { texts: number; failed: number; slowestMs: number }
}

/**
 * Compares the language worker with llama-server behind LANGUAGE_URL: same texts, speed, and texts lost when one of two
 * engines is killed.
 */
export async function runBenchmark(options: BenchOptions): Promise<void> {
  const bin = findPeer('BENCH_LLAMA_CPP', 'llama-server')
  if (!bin) return
  const modelsDir = path.join(PROJECT_FOLDER, 'models')
  const pack = await openPack({ modelsDir }, LLM_PACK, 'llm')
  const prompts = await loadPackPrompts(pack)
  const greedy = createOpenerRequests(prompts, { count: COMPARED, temperature: 0 })
  const sampled = createOpenerRequests(prompts, {
    count: TEXTS_PER_ROUND,
    temperature: prompts.sampling.temperature,
  })
  const engine = await startEngine(pack, { bin, threads: THREADS, sequences: SEQUENCES })
  const worker = await openLanguageHost(pack, [])
  const remote = await openLanguageHost(pack, [engine.url])
  const contenders = { 'language worker': worker, 'llama-server': remote }
  try {
    const agreement = await compareTexts(worker, remote, { greedy, sampled })
    const speed = await compareSpeed(contenders, sampled, options.rounds ?? DEFAULT_ROUNDS)
    await Promise.all([worker.close(), remote.close(), engine.kill()])
    const failure = await surviveFailure(pack, bin, sampled)
    const machine = describeMachine()
    const report: EnginesReport = { benchmark: 'engines', machine, agreement, speed, failure }
    publish(report, options, { print: printReport })
  } finally {
    await Promise.all([worker.close(), remote.close(), engine.kill()])
  }
}

interface TextsToCompare {
  greedy: readonly GenerationRequest[]
  /** Their log probabilities are compared where the texts are the same. */
  sampled: readonly GenerationRequest[]
}

async function compareTexts(
  worker: LanguageHost,
  remote: LanguageHost,
  { greedy, sampled }: TextsToCompare,
): Promise<EnginesReport['agreement']> {
  const run = async (host: LanguageHost, requests: readonly GenerationRequest[]) =>
    (await generateAll(host, requests, 4)).map(({ generation }) => generation)
  const [ours, theirs] = [await run(worker, greedy), await run(remote, greedy)]
  const [ourSamples, theirSamples] = [await run(worker, sampled), await run(remote, sampled)]
  const differences = ourSamples.flatMap((own, index) => {
    const other = theirSamples[index]!
    return own.text === other.text ? Math.abs(own.logprob.mean - other.logprob.mean) : []
  })
  return {
    compared: greedy.length,
    sameText: ours.filter(({ text }, index) => text === theirs[index]!.text).length,
    largestLogprobDifference: roundTo(Math.max(0, ...differences), 4),
  }
}

async function compareSpeed(
  contenders: Readonly<Record<string, LanguageHost>>,
  requests: readonly GenerationRequest[],
  rounds: number,
): Promise<SpeedRow[]> {
  const rows: SpeedRow[] = []
  for (const concurrency of CONCURRENCIES) {
    const samples = new Map(Object.keys(contenders).map((name) => [name, newSample()]))
    for (let round = 0; round < rounds; round++) {
      for (const [name, host] of Object.entries(contenders)) {
        const startedAt = performance.now()
        const answers = await generateAll(host, requests, concurrency)
        const sample = samples.get(name)!
        sample.ms.push(...answers.map(({ ms }) => ms))
        const tokens = answers.reduce((sum, { generation }) => sum + generation.generatedTokens, 0)
        sample.perSecond.push((1_000 * tokens) / (performance.now() - startedAt))
      }
    }
    for (const [name, { ms, perSecond }] of samples) {
      rows.push({
        concurrency,
        name,
        medianMs: Math.round(median(ms)),
        tokensPerSecond: Math.round(median(perSecond)),
      })
    }
    console.error(`▸ ${concurrency} texts at a time`)
  }
  return rows
}

const newSample = () => ({ ms: [] as number[], perSecond: [] as number[] })

async function surviveFailure(
  pack: LlmPack,
  bin: string,
  requests: readonly GenerationRequest[],
): Promise<EnginesReport['failure']> {
  const threads = Math.max(1, Math.floor(THREADS / 2))
  const start = () => startEngine(pack, { bin, threads, sequences: SEQUENCES })
  const engines = [await start(), await start()]
  const host = await openLanguageHost(
    pack,
    engines.map(({ url }) => url),
  )
  try {
    const load = Array.from({ length: UNDER_FAILURE }, (_, i) => requests[i % requests.length]!)
    let done = 0
    const answering = generateAll(host, load, 8, () => (done += 1))
    while (done < UNDER_FAILURE / 4) await sleep(5)
    await engines[0]!.kill()
    const answers = await answering
    return {
      texts: answers.length,
      failed: answers.filter(({ isFailed }) => isFailed).length,
      slowestMs: Math.round(Math.max(...answers.map(({ ms }) => ms))),
    }
  } finally {
    await host.close()
    for (const { kill } of engines) await kill()
  }
}

interface TimedAnswer {
  generation: Generation
  isFailed: boolean
  ms: number
}

const NOTHING: Generation = {
  text: '',
  finishReason: 'stop',
  promptTokens: 0,
  cachedTokens: 0,
  generatedTokens: 0,
  logprob: { mean: 0, min: 0 },
}

/** Generates with so many requests in flight; answers are in the order of the requests. */
async function generateAll(
  host: LanguageHost,
  requests: readonly GenerationRequest[],
  concurrency: number,
  onDone: () => void = () => {},
): Promise<TimedAnswer[]> {
  const answers: TimedAnswer[] = []
  const rest = requests.entries()
  async function work(): Promise<void> {
    for (const [index, request] of rest) {
      const startedAt = performance.now()
      const generation = await host
        .call('generate', request, startUpCall())
        .catch((error: unknown) => void console.error(error))
      const ms = performance.now() - startedAt
      answers[index] = { generation: generation ?? NOTHING, isFailed: !generation, ms }
      onDone()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return answers
}

function printReport(
  { agreement, speed, failure }: EnginesReport,
  print: (line: string) => void,
): void {
  const { compared, sameText, largestLogprobDifference } = agreement
  print(`\nSame text for ${sameText} of ${compared} prompts at temperature 0.`)
  print(`Same sampled texts differ by at most ${largestLogprobDifference} nats in their mean.\n`)
  print(
    formatTable(
      speed.map(({ concurrency, name, medianMs, tokensPerSecond }) => ({
        'texts at a time': concurrency,
        generator: name,
        'p50 of a text, ms': medianMs,
        'tokens/s': tokensPerSecond,
      })),
    ),
  )
  const { texts, failed, slowestMs } = failure
  print(`\nOne of two engines killed: ${failed} of ${texts} texts failed, slowest ${slowestMs} ms.`)
}
