import type { LanguageHost } from '../../../inference/language/engines/engine-host.js'
import type { GenerationRequest } from '../../../inference/language/language.js'
import type { Prompts } from '../../../inference/language/prompts.js'
import type { LlmPack } from '../../../packs/open-pack.js'
import { roundTo } from '../../../text/round-to.js'
import { median } from '../../statistics/quantile.js'
import { completeBarely } from './bare-client.js'
import { generateAll } from './generate-all.js'
import { inParallel } from './in-parallel.js'
import { createOpenerRequests } from './opener-requests.js'
import { openLanguageHost } from './open-language-host.js'
import { startEngine, type EngineOptions } from './start-engine.js'
import { toBareRequests } from './to-bare-requests.js'

const CONCURRENCIES = [1, 4, 8]
const TEXTS_PER_ROUND = 32

export interface SpeedRow {
  concurrency: number
  name: string
  medianMs: number
  tokensPerSecond: number
  /** Median over the rounds of its tokens a second divided by those of the bare client. */
  toBareClient: number
}

interface Sample {
  /** Milliseconds of each text. */
  ms: number[]
  perSecond: number
}

type Contender = (concurrency: number) => Promise<Sample>

/**
 * Compares the language worker, llama-server behind LANGUAGE_URL, and a client that sends the same token ids with the same
 * sampling to the same llama-server and wants nothing but the texts. They alternate.
 */
export async function compareSpeed(
  pack: LlmPack,
  prompts: Prompts,
  { rounds, ...engine }: EngineOptions & { rounds: number },
): Promise<SpeedRow[]> {
  const { temperature } = prompts.sampling
  const requests = createOpenerRequests(prompts, { count: TEXTS_PER_ROUND, temperature })
  const bare = await toBareRequests(pack, requests)
  const { url, kill } = await startEngine(pack, engine)
  const worker = await openLanguageHost(pack, [])
  const remote = await openLanguageHost(pack, [url])
  const contenders: Record<string, Contender> = {
    'language worker': (concurrency) => measureHost(worker, requests, concurrency),
    'llama-server, our pool': (concurrency) => measureHost(remote, requests, concurrency),
    'llama-server, bare client': (concurrency) =>
      measure(bare, concurrency, async (request) => {
        return (await completeBarely(url, request)).tokens_predicted
      }),
  }
  try {
    const rows: SpeedRow[] = []
    for (const concurrency of CONCURRENCIES) {
      rows.push(...summarize(concurrency, await alternate(contenders, concurrency, rounds)))
      console.error(`▸ ${concurrency} texts at a time`)
    }
    return rows
  } finally {
    await Promise.all([worker.close(), remote.close(), kill()])
  }
}

async function alternate(
  contenders: Readonly<Record<string, Contender>>,
  concurrency: number,
  rounds: number,
): Promise<Map<string, Sample[]>> {
  const samples = new Map(Object.keys(contenders).map((name): [string, Sample[]] => [name, []]))
  // The first round fills the prompt caches.
  for (let round = -1; round < rounds; round++) {
    for (const [name, run] of Object.entries(contenders)) {
      const sample = await run(concurrency)
      if (round >= 0) samples.get(name)!.push(sample)
    }
  }
  return samples
}

function summarize(concurrency: number, samples: ReadonlyMap<string, Sample[]>): SpeedRow[] {
  const bare = [...samples.values()].at(-1)!
  return Array.from(samples, ([name, rounds]) => ({
    concurrency,
    name,
    medianMs: Math.round(median(rounds.flatMap(({ ms }) => ms))),
    tokensPerSecond: roundTo(median(rounds.map(({ perSecond }) => perSecond)), 1),
    toBareClient: roundTo(
      median(rounds.map(({ perSecond }, round) => perSecond / bare[round]!.perSecond)),
      2,
    ),
  }))
}

async function measureHost(
  host: LanguageHost,
  requests: readonly GenerationRequest[],
  concurrency: number,
): Promise<Sample> {
  return measure(requests, concurrency, async (request) => {
    const [answer] = await generateAll(host, [request], 1)
    return answer!.generation.generatedTokens
  })
}

/** @param work - returns the tokens that it generated */
async function measure<T>(
  requests: readonly T[],
  concurrency: number,
  work: (request: T) => Promise<number>,
): Promise<Sample> {
  const startedAt = performance.now()
  const texts = await inParallel(requests, concurrency, async (request) => {
    const sentAt = performance.now()
    return { tokens: await work(request), ms: performance.now() - sentAt }
  })
  const seconds = (performance.now() - startedAt) / 1_000
  return {
    ms: texts.map(({ ms }) => ms),
    perSecond: texts.reduce((sum, { tokens }) => sum + tokens, 0) / seconds,
  }
}
