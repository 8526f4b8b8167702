import { createParser } from 'eventsource-parser'
import { roundTo } from '../../text/round-to.js'
import { describeMachine } from '../describe-machine.js'
import { median } from '../statistics/quantile.js'
import type { BenchOptions } from './bench-options.js'
import {
  createMatchBody,
  createOpenersBody,
  createPreferencesBody,
  newPhoto,
  readExamplePairs,
  type ExamplePair,
} from './example-calls.js'
import { plotProfile } from './report/flame-graph.js'
import { formatTable, publish, type Print, type Report } from './report/publish.js'
import { summarizeLatencies, type LatencySummary } from './report/summaries.js'
import { printProfile, type ProfileSummary } from './service/server-profile.js'
import { startService, type ServiceAddress } from './service/start-service.js'

const WARM_UP_ROUNDS = 3
const MATCH_ROUNDS = 40
const PREFERENCES_ROUNDS = 20
const OPENERS_ROUNDS = 40

const MATCH = {
  given: 'match, preferences given, photos known, pair new',
  repeated: 'match, preferences given, photos and pair known',
  newPhotos: 'match, preferences given, photos new, pair known',
  inferred: 'match, preferences inferred, photos known, pair new',
}
const PREFERENCES = {
  known: 'preferences, photos known',
  newPhotos: 'preferences, photos new',
}
const OPENERS = {
  one: 'one opener',
  first: 'three openers, the first',
  three: 'three openers, all',
}

interface CallsReport extends Report {
  /** By call. */
  milliseconds: Record<string, LatencySummary>
  ratios: Record<string, number>
  eventLoopDelayP99Milliseconds: number
  profile: ProfileSummary | undefined
}

/**
 * Measures the latency of calls one after the other on a warm server, each round with another pair of profiles. Calls
 * that are compared alternate within a round.
 */
export async function runBenchmark(options: BenchOptions): Promise<void> {
  const service = await startService({}, { isProfiled: options.profile })
  let samples
  let eventLoopDelayP99Milliseconds
  let profile
  try {
    samples = await measureCalls(service, options.rounds)
    eventLoopDelayP99Milliseconds = await service.readEventLoopDelayP99()
  } finally {
    profile = await service.close()
  }
  const report: CallsReport = {
    benchmark: 'calls',
    machine: describeMachine(),
    milliseconds: samples.summarize(),
    ratios: compareCalls(samples),
    eventLoopDelayP99Milliseconds,
    profile,
  }
  publish(report, options, { print: printReport, plots: plotProfile })
}

/** Latencies in milliseconds by call; rounds below 0 are warm-up and not kept. */
class Samples {
  readonly #byCall = new Map<string, number[]>()

  add(round: number, call: string, milliseconds: number): void {
    if (round < 0) return
    const values = this.#byCall.get(call)
    if (values) values.push(milliseconds)
    else this.#byCall.set(call, [milliseconds])
  }

  of(call: string): readonly number[] {
    return this.#byCall.get(call) ?? []
  }

  summarize(): Record<string, LatencySummary> {
    return Object.fromEntries(
      [...this.#byCall].map(([call, values]) => [call, summarizeLatencies(values)]),
    )
  }
}

/** @param rounds - of each kind of call; default: enough for stable medians */
async function measureCalls(service: ServiceAddress, rounds: number | undefined): Promise<Samples> {
  const pairs = readExamplePairs()
  const samples = new Samples()
  const pairOf = (round: number) => pairs[(round + pairs.length) % pairs.length]!
  for (let round = -WARM_UP_ROUNDS; round < (rounds ?? MATCH_ROUNDS); round++) {
    await measureMatches(service, samples, { round, pair: pairOf(round) })
  }
  for (let round = -WARM_UP_ROUNDS; round < (rounds ?? PREFERENCES_ROUNDS); round++) {
    // A repeated prompt would still be in the language model's cache, so new photos come with another profile.
    const other = pairOf(round + Math.floor(pairs.length / 2))
    await measurePreferences(service, samples, { round, pair: pairOf(round), other })
  }
  for (let round = -WARM_UP_ROUNDS; round < (rounds ?? OPENERS_ROUNDS); round++) {
    await measureOpeners(service, samples, { round, pair: pairOf(round) })
  }
  return samples
}

async function measureMatches(
  service: ServiceAddress,
  samples: Samples,
  { round, pair }: { round: number; pair: ExamplePair },
): Promise<void> {
  const match = (options: Parameters<typeof createMatchBody>[1]) =>
    timeCall(service, '/v1/match/evaluate', createMatchBody(pair, options))
  const given = { withPreferences: true }
  samples.add(round, MATCH.given, await match(given))
  samples.add(round, MATCH.repeated, await match(given))
  samples.add(round, MATCH.newPhotos, await match({ ...given, photo: newPhoto }))
  samples.add(round, MATCH.inferred, await match({ withPreferences: false }))
}

async function measurePreferences(
  service: ServiceAddress,
  samples: Samples,
  { round, pair, other }: { round: number; pair: ExamplePair; other: ExamplePair },
): Promise<void> {
  const infer = (...args: Parameters<typeof createPreferencesBody>) =>
    timeCall(service, '/v1/profile/infer-preferences', createPreferencesBody(...args))
  samples.add(round, PREFERENCES.known, await infer(pair))
  samples.add(round, PREFERENCES.newPhotos, await infer(other, { photo: newPhoto }))
}

async function measureOpeners(
  service: ServiceAddress,
  samples: Samples,
  { round, pair }: { round: number; pair: ExamplePair },
): Promise<void> {
  const one = await timeOpeners(service, createOpenersBody(pair, { count: 1 }))
  const three = await timeOpeners(service, createOpenersBody(pair, { count: 3 }))
  samples.add(round, OPENERS.one, one.last)
  samples.add(round, OPENERS.first, three.first)
  samples.add(round, OPENERS.three, three.last)
}

async function timeCall(service: ServiceAddress, route: string, body: unknown): Promise<number> {
  const payload = JSON.stringify(body)
  const startedAt = performance.now()
  const response = await post(service, route, { payload, accept: 'application/json' })
  await response.arrayBuffer()
  return performance.now() - startedAt
}

/** Milliseconds to the first and to the last event of a stream of openers. */
async function timeOpeners(
  service: ServiceAddress,
  body: unknown,
): Promise<{ first: number; last: number }> {
  const payload = JSON.stringify(body)
  const startedAt = performance.now()
  const times = { first: 0, last: 0 }
  const parser = createParser({
    onEvent: ({ event }) => {
      const elapsed = performance.now() - startedAt
      if (event === 'opener.delta' && times.first === 0) times.first = elapsed
      if (event === 'done') times.last = elapsed
    },
  })
  const request = { payload, accept: 'text/event-stream' }
  const response = await post(service, '/v1/conversation/openers', request)
  if (!response.body) throw new Error('The answer has no body.')
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) parser.feed(chunk)
  return times
}

async function post(
  service: ServiceAddress,
  route: string,
  { payload, accept }: { payload: string; accept: string },
): Promise<Response> {
  const response = await fetch(service.baseUrl + route, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${service.apiKey}`,
      'Content-Type': 'application/json',
      Accept: accept,
    },
    body: payload,
  })
  if (!response.ok) throw new Error(`${route}: ${response.status} ${await response.text()}`)
  return response
}

function compareCalls(samples: Samples): Record<string, number> {
  return {
    'match, preferences given : inferred': medianRatio(samples, MATCH.given, MATCH.inferred),
    'openers, three : one': medianRatio(samples, OPENERS.three, OPENERS.one),
    'openers, three : one, all rounds together': roundTo(
      sum(samples.of(OPENERS.three)) / sum(samples.of(OPENERS.one)),
      2,
    ),
  }
}

/** Compares within a round, because some profiles take twice as long as others. */
function medianRatio(samples: Samples, above: string, below: string): number {
  const divisors = samples.of(below)
  return roundTo(median(samples.of(above).map((value, round) => value / divisors[round]!)), 2)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function printReport(report: CallsReport, print: Print): void {
  const { cpu, cores, node } = report.machine
  print(`\n${cpu}, ${cores} cores, Node ${node}; milliseconds, one call at a time\n`)
  print(
    formatTable(
      Object.entries(report.milliseconds).map(([call, summary]) => ({ call, ...summary })),
    ),
  )
  print('')
  print(formatTable(Object.entries(report.ratios).map(([ratio, p50]) => ({ ratio, p50 }))))
  print(`\nEvent-loop delay of the server, p99: ${report.eventLoopDelayP99Milliseconds} ms`)
  if (report.profile) printProfile(report.profile, print)
}
