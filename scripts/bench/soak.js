import { setTimeout as sleep } from 'node:timers/promises'
import { describeMachine } from '../describe-machine.js'
import { median } from '../statistics/quantile.js'
import { sendAt } from './http-load.js'
import { drawArrivals } from './open-loop.js'
import { linePlot } from './plot.js'
import { matchBody, newPhoto, openersBody, preferencesBody, readPairs } from './profiles.js'
import { publish, table } from './publish.js'
import { findProcesses, residentMb } from './service-processes.js'
import { startServer } from './server-under-test.js'
import { roundTo } from './statistics.js'

const MINUTES = 30
/** Heaps, buffers of the decoder and pages of the model file grow to their size in the first minutes. */
const WARM_UP_MINUTES = 6
const REST_SECONDS = 30
const SAMPLE_MS = 5_000
const REQUESTS_PER_SECOND = 0.35
/** Of ten requests. Photos are new in every one of them. */
const MIX = { match: 8, preferences: 1, openers: 1 }
/** Small enough to be full after the warm-up: a cache that fills up is no leak. */
const ENVIRONMENT = { PHOTO_CACHE_ENTRIES: '50' }

/** @typedef {'server' | 'vision' | 'language'} Role */

/**
 * Memory of each process at rest after a warm-up, under a lasting moderate load, and at rest again.
 */
export async function runBenchmark(/** @type {import('./publish.js').BenchmarkOptions} */ options) {
  const minutes = options.minutes ?? MINUTES
  const server = await startServer(ENVIRONMENT)
  const recorder = recordMemory(Number(server.pid))
  try {
    await sendMix(server, Math.min(WARM_UP_MINUTES, minutes))
    const before = await atRest(recorder)
    const loadFrom = recorder.samples.length
    const answers = await sendMix(server, minutes)
    const under = recorder.samples.slice(loadFrom)
    const after = await atRest(recorder)
    const report = {
      benchmark: 'soak',
      machine: describeMachine(),
      minutes,
      requestsPerSecond: REQUESTS_PER_SECOND,
      answers: countByStatus(answers),
      workerEvents: await readWorkerEvents(server),
      memory: summarize({ before, under, after }),
      samples: recorder.samples,
    }
    publish(report, options, { print, plots })
  } finally {
    recorder.stop()
    await server.close()
  }
}

/** @typedef {{ minute: number } & Record<Role, number>} Sample megabytes */

/** Looks the processes up each time: a worker that was replaced goes on as another. */
function recordMemory(/** @type {number} */ serverPid) {
  const startedAt = performance.now()
  /** @type {Sample[]} */
  const samples = []
  const timer = setInterval(() => {
    const minute = roundTo((performance.now() - startedAt) / 60_000, 2)
    const processes = findProcesses(serverPid)
    // Between two workers of a role there is none.
    if (Object.values(processes).some(Number.isNaN)) return
    const of = (/** @type {Role} */ role) => roundTo(residentMb(processes[role]), 1)
    samples.push({ minute, server: of('server'), vision: of('vision'), language: of('language') })
  }, SAMPLE_MS)
  return { samples, stop: () => clearInterval(timer) }
}

/** The samples of the last seconds of a rest. */
async function atRest(/** @type {ReturnType<typeof recordMemory>} */ { samples }) {
  await sleep(REST_SECONDS * 1_000)
  return samples.slice(-Math.floor((REST_SECONDS * 1_000) / SAMPLE_MS / 2))
}

/**
 * @param {Awaited<ReturnType<typeof startServer>>} server
 * @param {number} minutes
 */
async function sendMix(server, minutes) {
  const pairs = readPairs()
  let next = 0
  const photo = newPhoto
  const bodies = {
    '/v1/match/evaluate': (/** @type {any} */ pair) =>
      matchBody(pair, { withPreferences: true, photo }),
    '/v1/profile/infer-preferences': (/** @type {any} */ pair) => preferencesBody(pair, { photo }),
    '/v1/conversation/openers': (/** @type {any} */ pair) => openersBody(pair, { photo }),
  }
  const all = MIX.match + MIX.preferences + MIX.openers
  const load = await Promise.all(
    Object.entries(bodies).map(([route, body], index) => {
      const perSecond = (REQUESTS_PER_SECOND * (Object.values(MIX)[index] ?? 0)) / all
      const nextBody = () => Buffer.from(JSON.stringify(body(pairs[next++ % pairs.length])))
      return sendAt(server, { route, nextBody }, drawArrivals({ perSecond, seconds: minutes * 60 }))
    }),
  )
  return load.flat()
}

/** Starts, ends and replacements of workers over the whole run, by role. */
async function readWorkerEvents(/** @type {Awaited<ReturnType<typeof startServer>>} */ server) {
  const lines = (await server.metrics()).matchAll(
    /^pis_worker_events_total\{role="(\w+)",event="(\w+)"\} (\d+)/gm,
  )
  return Object.fromEntries(
    [...lines].map(([, role, event, count]) => [`${role} ${event}`, Number(count)]),
  )
}

function countByStatus(/** @type {import('./http-load.js').Answer[]} */ answers) {
  /** @type {Record<string, number>} */
  const counts = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** @param {{ before: Sample[], under: Sample[], after: Sample[] }} samples */
function summarize({ before, under, after }) {
  return /** @type {Role[]} */ (['server', 'vision', 'language']).map((role) => {
    const typical = (/** @type {Sample[]} */ some) => median(some.map((sample) => sample[role]))
    return {
      role,
      beforeMb: roundTo(typical(before), 0),
      underLoadMb: roundTo(typical(under), 0),
      highestMb: roundTo(Math.max(...under.map((sample) => sample[role])), 0),
      afterMb: roundTo(typical(after), 0),
      afterToBefore: roundTo(typical(after) / typical(before), 3),
    }
  })
}

/** @typedef {{ minutes: number, answers: Record<string, number>, workerEvents: Record<string, number>, memory: ReturnType<typeof summarize>, samples: Sample[] }} Report */

function print(
  /** @type {Report} */ { minutes, answers, workerEvents, memory },
  /** @type {import('./publish.js').Say} */ say,
) {
  say(`\n${minutes} minutes; answers by status: ${JSON.stringify(answers)}`)
  say(`Workers: ${JSON.stringify(workerEvents)}\n`)
  say(table(memory))
}

function plots(/** @type {Report} */ { samples }) {
  return {
    soak: linePlot({
      title: 'Resident memory',
      x: { name: 'minutes' },
      y: { name: 'MB' },
      series: Object.fromEntries(
        /** @type {Role[]} */ (['server', 'vision', 'language']).map((role) => [
          role,
          samples.map((sample) => /** @type {[number, number]} */ ([sample.minute, sample[role]])),
        ]),
      ),
    }),
  }
}
