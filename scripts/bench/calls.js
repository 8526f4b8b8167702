import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createParser } from 'eventsource-parser'
import { projectDir } from '../prepare.js'
import { startServer } from './server-under-test.js'
import { describeMachine, quantile, summarize } from './statistics.js'

const WARM_UP_ROUNDS = 3
const MATCH_ROUNDS = 40
const OPENER_ROUNDS = 20
const PHOTO_FILES = [
  'astronaut.jpg',
  'cat.jpg',
  'coffee.jpg',
  'flower.jpg',
  'rocket.jpg',
  'temple.jpg',
]

/**
 * Latency of the calls one after the other on a warm server: every round takes another pair of profiles, the photos
 * are always the bundled six and so analysed once.
 */
export async function runBenchmark(/** @type {{ asJson: boolean }} */ { asJson }) {
  const server = await startServer()
  try {
    const report = await measure(server)
    if (asJson) console.log(JSON.stringify(report, undefined, 2))
    else print(report)
  } finally {
    await server.close()
  }
}

/** @typedef {Awaited<ReturnType<typeof startServer>>} Server */

async function measure(/** @type {Server} */ server) {
  const pairs = readPairs()
  const samples = { withPreferences: [], withoutPreferences: [], repeated: [], first: [], last: [] }
  for (let round = -WARM_UP_ROUNDS; round < MATCH_ROUNDS; round++) {
    const pair = pairs[(round + pairs.length) % pairs.length]
    const match = await time(server, '/v1/match/evaluate', matchBody(pair, true))
    const again = await time(server, '/v1/match/evaluate', matchBody(pair, true))
    const inferred = await time(server, '/v1/match/evaluate', matchBody(pair, false))
    if (round < 0) continue
    samples.withPreferences.push(match)
    samples.repeated.push(again)
    samples.withoutPreferences.push(inferred)
  }
  for (let round = -WARM_UP_ROUNDS; round < OPENER_ROUNDS; round++) {
    const { first, last } = await timeOpeners(server, pairs[(round + pairs.length) % pairs.length])
    if (round < 0) continue
    samples.first.push(first)
    samples.last.push(last)
  }
  const p50 = (/** @type {number[]} */ values) => quantile(values, 0.5)
  return {
    benchmark: 'calls',
    machine: describeMachine(),
    milliseconds: {
      'match, preferences given, pair not seen before': summarize(samples.withPreferences),
      'match, preferences given, pair seen before': summarize(samples.repeated),
      'match, preferences inferred': summarize(samples.withoutPreferences),
      'three openers: first released text': summarize(samples.first),
      'three openers: last': summarize(samples.last),
    },
    ratios: {
      'match inferred : given (p50)':
        Math.round((p50(samples.withoutPreferences) / p50(samples.withPreferences)) * 100) / 100,
    },
    eventLoopDelayP99Milliseconds: await eventLoopDelay(server),
  }
}

/** Event-loop delay of the server process over its whole life, from its own metrics. */
async function eventLoopDelay(/** @type {Server} */ server) {
  const text = await server.metrics()
  const seconds = /^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)?.[1]
  return Math.round(Number(seconds) * 10_000) / 10
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

async function timeOpeners(/** @type {Server} */ server, /** @type {any} */ pair) {
  const payload = JSON.stringify(openersBody(pair))
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

/** @returns {any[]} */
function readPairs() {
  const text = readFileSync(path.join(projectDir, 'examples', 'profiles.jsonl'), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

function photoOf(/** @type {number} */ index) {
  const file = PHOTO_FILES[index % PHOTO_FILES.length] ?? ''
  const bytes = readFileSync(path.join(projectDir, 'examples', 'photos', file))
  return `data:image/jpeg;base64,${bytes.toString('base64')}`
}

function matchBody(/** @type {any} */ pair, /** @type {boolean} */ withPreferences) {
  const user = (/** @type {any} */ person, /** @type {number} */ photo) => ({
    id: person.name,
    photos: [photoOf(photo)],
    bio: person.bio,
    ...(withPreferences && {
      preferences: { interests: person.interests, lifestyle: person.lifestyle },
    }),
  })
  return { user_a: user(pair.sender, 0), user_b: user(pair.recipient, 2) }
}

function openersBody(/** @type {any} */ pair) {
  const { sender, recipient } = pair
  return {
    sender: {
      id: 'sender',
      name: sender.name,
      preferences: { interests: sender.interests, lifestyle: sender.lifestyle },
    },
    recipient: { id: 'recipient', photos: [photoOf(1), photoOf(2)], bio: recipient.bio },
    tone: pair.tone,
  }
}

function print(/** @type {Awaited<ReturnType<typeof measure>>} */ report) {
  const { cpu, cores, node } = report.machine
  console.log(`\n${cpu}, ${cores} cores, Node ${node}; milliseconds, one call at a time\n`)
  console.table(report.milliseconds)
  console.table(report.ratios)
  console.log(
    `Event-loop delay of the server process, p99: ${report.eventLoopDelayP99Milliseconds} ms`,
  )
}
