import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LanguageHost } from '../../inference/language/engines/engine-host.js'
import type { GenerationRequest } from '../../inference/language/language.js'
import type { Prompts } from '../../inference/language/prompts.js'
import { openPack, type LlmPack } from '../../packs/open-pack.js'
import { roundTo } from '../../text/round-to.js'
import { describeMachine } from '../describe-machine.js'
import { PROJECT_FOLDER } from '../project-folder.js'
import { median } from '../statistics/quantile.js'
import type { BenchOptions } from './bench-options.js'
import { generateAll } from './engines/generate-all.js'
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

interface Agreement {
  /** Prompts, each answered with the most probable tokens, and how many answers are the same. */
  compared: number
  sameText: number
  /** First tokens that both sampled from the same prompts, with the sampling of the pack. */
  sameFirstTokens: number
  /** Of their log probabilities, in nats: half of them differ by less, and all by at most. */
  medianDifference: number | undefined
  largestDifference: number | undefined
}

interface EnginesReport extends Report {
  agreement: Agreement
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
    const agreement = await compareTexts(worker, remote, greedy, prompts.sampling)
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

async function compareTexts(
  worker: LanguageHost,
  remote: LanguageHost,
  greedy: readonly GenerationRequest[],
  sampling: Prompts['sampling'],
): Promise<Agreement> {
  const run = async (host: LanguageHost, requests: readonly GenerationRequest[]) =>
    (await generateAll(host, requests, 4)).map(({ generation }) => generation)
  const firstTokens = greedy.map((request) => ({
    ...request,
    maxTokens: 1,
    sampling: { ...request.sampling, ...sampling },
  }))
  const [ours, theirs] = [await run(worker, greedy), await run(remote, greedy)]
  const [ourFirsts, theirFirsts] = [await run(worker, firstTokens), await run(remote, firstTokens)]
  const differences = ourFirsts.flatMap((own, index) => {
    const other = theirFirsts[index]!
    return own.text === other.text ? Math.abs(own.logprob.mean - other.logprob.mean) : []
  })
  const isAny = differences.length > 0
  return {
    compared: greedy.length,
    sameText: ours.filter(({ text }, index) => text === theirs[index]!.text).length,
    sameFirstTokens: differences.length,
    medianDifference: isAny ? roundTo(median(differences), 4) : undefined,
    largestDifference: isAny ? roundTo(Math.max(...differences), 4) : undefined,
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

function printReport(
  { agreement, speed, failure }: EnginesReport,
  print: (line: string) => void,
): void {
  const { compared, sameText, sameFirstTokens, medianDifference, largestDifference } = agreement
  print(`\nSame text for ${sameText} of ${compared} prompts at temperature 0.`)
  print(
    `Log probabilities of the same ${sameFirstTokens} sampled first tokens differ by ${medianDifference ?? '–'} (median), at most ${largestDifference ?? '–'}.\n`,
  )
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
