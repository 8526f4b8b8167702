import { createParser } from 'eventsource-parser'
import { describeMachine } from '../describe-machine.js'
import { plotProfile } from './flame-graph.js'
import { median } from '../statistics/quantile.js'
import { matchBody, newPhoto, openersBody, preferencesBody, readPairs } from './profiles.js'
import { publish, table } from './publish.js'
import { printProfile } from './server-profile.js'
import { startServer } from './server-under-test.js'
import { roundTo, summarize } from './statistics.js'

const WARM_UP_ROUNDS = 3
const MATCH_ROUNDS = 40
const PREFERENCES_ROUNDS = 20
const OPENER_ROUNDS = 40

/**
 * Latency of the calls one after the other on a warm server, each round with another pair of profiles. Kinds of calls
 * that are compared take turns within a round.
 */
export async function runBenchmark(/** @type {import('./publish.js').BenchmarkOptions} */ options) {
  const server = await startServer({}, { isProfiled: options.profile })
  let measured
  let profile
  try {
    measured = await measure(server, options.rounds)
  } finally {
    profile = await server.close()
  }
  publish({ ...measured, profile }, options, { print, plots: plotProfile })
}

/** @typedef {Awaited<ReturnType<typeof startServer>>} Server */
/** @typedef {import('./server-profile.js').ProfileSummary} ProfileSummary */

/**
 * @param {Server} server
 * @param {number | undefined} rounds - of each kind of call, instead of the usual
 */
async function measure(server, rounds) {
  const pairs = readPairs()
  /** @type {Record<string, number[]>} */
  const samples = {}
  const note = (
    /** @type {number} */ round,
    /** @type {string} */ what,
    /** @type {number} */ ms,
  ) => {
    if (round >= 0) (samples[what] ??= []).push(ms)
  }
  const match = (/** @type {any} */ pair, /** @type {Parameters<typeof matchBody>[1]} */ options) =>
    time(server, '/v1/match/evaluate', matchBody(pair, options))
  const pairOf = (/** @type {number} */ round) => pairs[(round + pairs.length) % pairs.length]
  for (let round = -WARM_UP_ROUNDS; round < (rounds ?? MATCH_ROUNDS); round++) {
    const pair = pairOf(round)
    const given = { withPreferences: true }
    note(round, MATCH.given, await match(pair, given))
    note(round, MATCH.repeated, await match(pair, given))
    note(round, MATCH.newPhotos, await match(pair, { ...given, photo: newPhoto }))
    note(round, MATCH.inferred, await match(pair, { withPreferences: false }))
  }
  const infer = (/** @type {Parameters<typeof preferencesBody>} */ ...args) =>
    time(server, '/v1/profile/infer-preferences', preferencesBody(...args))
  for (let round = -WARM_UP_ROUNDS; round < (rounds ?? PREFERENCES_ROUNDS); round++) {
    note(round, PREFERENCES.known, await infer(pairOf(round)))
    // Of another profile: the prompt of the same one would still be in the language model's memory.
    const other = pairOf(round + Math.floor(pairs.length / 2))
    note(round, PREFERENCES.newPhotos, await infer(other, { photo: newPhoto }))
  }
  for (let round = -WARM_UP_ROUNDS; round < (rounds ?? OPENER_ROUNDS); round++) {
    const pair = pairOf(round)
    const one = await timeOpeners(server, openersBody(pair, { count: 1 }))
    const three = await timeOpeners(server, openersBody(pair, { count: 3 }))
    note(round, OPENERS.one, one.last)
    note(round, OPENERS.first, three.first)
    note(round, OPENERS.three, three.last)
  }
  // Of the same round, and so of the same profiles: some take twice as long as others.
  const ratio = (/** @type {string} */ above, /** @type {string} */ below) =>
    roundTo(median((samples[above] ?? []).map((value, i) => value / (samples[below]?.[i] ?? 0))), 2)
  return {
    benchmark: 'calls',
    machine: describeMachine(),
    milliseconds: Object.fromEntries(
      Object.entries(samples).map(([what, values]) => [what, summarize(values)]),
    ),
    ratios: {
      'match, preferences given : inferred': ratio(MATCH.given, MATCH.inferred),
      'openers, three : one': ratio(OPENERS.three, OPENERS.one),
      'openers, three : one, all rounds together': roundTo(
        sum(samples[OPENERS.three]) / sum(samples[OPENERS.one]),
        2,
      ),
    },
    eventLoopDelayP99Milliseconds: await server.eventLoopDelayP99(),
  }
}

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

function sum(/** @type {number[] | undefined} */ values = []) {
  return values.reduce((total, value) => total + value, 0)
}

/**
 * @param {Server} server
 * @param {string} route
 * @param {unknown} body
 */
async function time(server, route, body) {
  const payload = JSON.stringify(body)
  const startedAt = performance.now()
  const response = await send(server, route, payload, 'application/json')
  await response.arrayBuffer()
  return performance.now() - startedAt
}

async function timeOpeners(/** @type {Server} */ server, /** @type {unknown} */ body) {
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
  const response = await send(server, '/v1/conversation/openers', payload, 'text/event-stream')
  if (!response.body) throw new Error('The answer has no body.')
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) parser.feed(chunk)
  return times
}

/**
 * @param {Server} server
 * @param {string} route
 * @param {string} payload
 * @param {string} accept
 */
async function send(server, route, payload, accept) {
  const response = await fetch(server.baseUrl + route, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${server.apiKey}`,
      'Content-Type': 'application/json',
      Accept: accept,
    },
    body: payload,
  })
  if (!response.ok) throw new Error(`${route}: ${response.status} ${await response.text()}`)
  return response
}

function print(
  /** @type {Awaited<ReturnType<typeof measure>> & { profile?: ProfileSummary }} */ report,
  /** @type {import('./publish.js').Say} */ say,
) {
  const { cpu, cores, node } = report.machine
  say(`\n${cpu}, ${cores} cores, Node ${node}; milliseconds, one call at a time\n`)
  say(table(Object.entries(report.milliseconds).map(([call, summary]) => ({ call, ...summary }))))
  say('')
  say(table(Object.entries(report.ratios).map(([ratio, of]) => ({ ratio, p50: of }))))
  say(`\nEvent-loop delay of the server, p99: ${report.eventLoopDelayP99Milliseconds} ms`)
  if (report.profile) printProfile(report.profile, say)
}
