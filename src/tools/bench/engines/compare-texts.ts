import type { LanguageHost } from '../../../inference/language/engines/engine-host.js'
import type { Generation, GenerationRequest } from '../../../inference/language/language.js'
import type { Prompts } from '../../../inference/language/prompts.js'
import type { LlmPack } from '../../../packs/open-pack.js'
import { roundTo } from '../../../text/round-to.js'
import { median } from '../../statistics/quantile.js'
import { completeBarely, type BareAnswer, type BareRequest } from './bare-client.js'
import { generateAll } from './generate-all.js'
import { createOpenerRequests } from './opener-requests.js'
import { startEngine, type EngineOptions } from './start-engine.js'
import { openLanguageHost } from './open-language-host.js'
import { toBareRequests } from './to-bare-requests.js'

const COMPARED = 40
const AT_A_TIME = 4
/** Of the reranker: lower values count as these; see `openers/reranker`. */
const LIMITS = { mean: -2, min: -6 }
/**
 * What makes llama-server compute as the language worker does: pieces of fewer than 64 tokens, from which on flash attention adds in another
 * order, and no single token whose attention is divided among threads.
 */
const AS_THE_WORKER = {
  '--threads': 1,
  '--ubatch-size': 63,
  '--flash-attn': 'on',
  '--cache-ram': 0,
}

/** Where two most probable texts part. */
export interface Parting {
  prompt: number
  /** Tokens of the answer before it. */
  position: number
  /** Difference of the log probabilities of the two most probable tokens there, in nats. */
  gap: number | undefined
}

export interface Agreement {
  flags: string
  compared: number
  /** Texts of the most probable tokens that are the same at worker and engine, four at a time, and one. */
  same: number
  sameOneByOne: number
  /** The same of one and of four at a time. */
  workerWithItself: number
  engineWithItself: number
  partings: Parting[]
  /** With the sampling and the seeds of the pack. */
  sampledSame: number
  /** Of the texts that are the same: differences of what the reranker reads of the probabilities. */
  features: Record<'mean' | 'least', { median: number; max: number } | undefined>
}

type Texts = readonly Generation[]

/** Compares the texts of the language worker and of llama-server, as it starts by default and computing as the worker does. */
export async function compareTexts(
  pack: LlmPack,
  prompts: Prompts,
  engine: EngineOptions,
): Promise<Agreement[]> {
  const greedy = createOpenerRequests(prompts, { count: COMPARED, temperature: 0 })
  const { temperature } = prompts.sampling
  const sampled = createOpenerRequests(prompts, { count: COMPARED, temperature })
  const worker = await openLanguageHost(pack, [])
  const own = await generateThrice(worker, greedy, sampled)
  await worker.close()
  const bare = await toBareRequests(pack, greedy)
  const agreements: Agreement[] = []
  for (const flags of [AS_THE_WORKER, {}]) {
    const { url, kill } = await startEngine(pack, { ...engine, flags })
    const host = await openLanguageHost(pack, [url])
    const theirs = await generateThrice(host, greedy, sampled)
    const partings = await findPartings(url, bare, own.greedy, theirs.greedy)
    await host.close()
    await kill()
    const compared = compare(own, theirs)
    agreements.push({ flags: describeFlags(flags), ...compared, partings })
    console.error(`▸ ${compared.same} of ${compared.compared} texts, ${describeFlags(flags)}`)
  }
  return agreements
}

interface Runs {
  greedy: Texts
  oneByOne: Texts
  sampled: Texts
}

async function generateThrice(
  host: LanguageHost,
  greedy: readonly GenerationRequest[],
  sampled: readonly GenerationRequest[],
): Promise<Runs> {
  const run = async (requests: readonly GenerationRequest[], concurrency: number) =>
    (await generateAll(host, requests, concurrency)).map(({ generation }) => generation)
  return {
    greedy: await run(greedy, AT_A_TIME),
    oneByOne: await run(greedy, 1),
    sampled: await run(sampled, AT_A_TIME),
  }
}

function compare(own: Runs, theirs: Runs): Omit<Agreement, 'flags' | 'partings'> {
  const alike = own.sampled.flatMap((mine, index) => {
    const other = theirs.sampled[index]!
    return mine.text === other.text ? [[mine.logprob, other.logprob] as const] : []
  })
  const differences = (field: 'mean' | 'min') =>
    alike.map(([mine, other]) =>
      Math.abs(Math.max(mine[field], LIMITS[field]) - Math.max(other[field], LIMITS[field])),
    )
  return {
    compared: own.greedy.length,
    same: countSame(own.greedy, theirs.greedy),
    sameOneByOne: countSame(own.oneByOne, theirs.oneByOne),
    workerWithItself: countSame(own.greedy, own.oneByOne),
    engineWithItself: countSame(theirs.greedy, theirs.oneByOne),
    sampledSame: alike.length,
    features: { mean: summarize(differences('mean')), least: summarize(differences('min')) },
  }
}

function countSame(some: Texts, others: Texts): number {
  return some.filter(({ text }, index) => text === others[index]!.text).length
}

function summarize(values: readonly number[]) {
  if (values.length === 0) return undefined
  return { median: roundTo(median(values), 4), max: roundTo(Math.max(...values), 4) }
}

async function findPartings(
  url: string,
  requests: readonly BareRequest[],
  own: Texts,
  theirs: Texts,
): Promise<Parting[]> {
  const partings: Parting[] = []
  for (const [prompt, request] of requests.entries()) {
    const texts = [own[prompt]!.text, theirs[prompt]!.text] as const
    if (texts[0] === texts[1]) continue
    const { completion_probabilities: steps } = await completeBarely(url, request, 2)
    partings.push({ prompt, ...findParting(steps, texts) })
  }
  return partings
}

/** The first token after which a text of the engine is no longer the beginning of both. */
function findParting(
  steps: BareAnswer['completion_probabilities'],
  texts: readonly string[],
): Omit<Parting, 'prompt'> {
  let written = ''
  const position = steps.findIndex(({ token }) => {
    written += token
    return !texts.every((text) => text.startsWith(written.trimStart()))
  })
  const [first, second] = steps[position]?.top_logprobs ?? []
  return { position, gap: first && second && roundTo(first.logprob - second.logprob, 4) }
}

function describeFlags(flags: Readonly<Record<string, string | number>>): string {
  const words = Object.entries(flags).flat()
  return words.length > 0 ? words.join(' ') : 'default flags'
}
