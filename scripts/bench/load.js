import { describeMachine } from '../describe-machine.js'
import { mean } from '../statistics/agreement.js'
import { median, quantile } from '../statistics/quantile.js'
import { measureCapacity, sendAt } from './http-load.js'
import { drawArrivals, prepareBodies } from './open-loop.js'
import { plotLoad, printLoad } from './load-report.js'
import { matchBody, newPhoto, openersBody, preferencesBody, readPairs } from './profiles.js'
import { publish } from './publish.js'
import { startServer } from './server-under-test.js'
import { watchCores } from './service-processes.js'
import { roundTo, summarizeTail } from './statistics.js'

const LOADS = [0.5, 0.8, 1, 2, 3]
/** The first seconds of a step fill the queues; what is reported is what lasts. */
const SETTLING_SECONDS = 5

/**
 * The three calls, or the one asked for, with photos never seen before, at rising load. The sustainable load is what as
 * many clients as the service works on at a time get when each asks again as soon as it is answered.
 */
export async function runBenchmark(/** @type {import('./publish.js').BenchmarkOptions} */ options) {
  const { only, rounds = 1 } = options
  const server = await startServer({}, { isProfiled: options.profile })
  const calls = []
  let profile
  try {
    for (const [name, workload] of Object.entries(createWorkloads())) {
      if (only === undefined || only === name) {
        calls.push({ name, ...(await measureCall(server, { ...workload, name }, rounds)) })
      }
    }
  } finally {
    profile = await server.close()
  }
  const benchmark = only === undefined ? 'load' : `load-${only}`
  publish({ benchmark, machine: describeMachine(), calls, profile }, options, {
    print: printLoad,
    plots: plotLoad,
  })
}

/**
 * @typedef {object} LoadSettings
 * @property {number} clients as many as the service works on at a time with its default configuration
 * @property {number} warmUpSeconds
 * @property {number} capacitySeconds long enough for some forty answers on two cores
 * @property {number} seconds of a step
 */
/** @typedef {import('./http-load.js').Workload & LoadSettings} LoadWorkload */

/** @returns {Record<string, LoadWorkload>} */
function createWorkloads() {
  const pairs = readPairs()
  let next = 0
  const pair = () => pairs[next++ % pairs.length]
  const photo = newPhoto
  return {
    match: {
      route: '/v1/match/evaluate',
      clients: 8,
      // Every pair once: the reasons that are worded anew would pass for the photos' cost.
      warmUpSeconds: 20,
      capacitySeconds: 10,
      seconds: 20,
      body: () => matchBody(pair(), { withPreferences: true, photo }),
    },
    preferences: {
      route: '/v1/profile/infer-preferences',
      clients: 6,
      warmUpSeconds: 2,
      capacitySeconds: 30,
      seconds: 30,
      body: () => preferencesBody(pair(), { photo }),
    },
    openers: {
      route: '/v1/conversation/openers',
      clients: 2,
      warmUpSeconds: 2,
      capacitySeconds: 60,
      seconds: 40,
      body: () => openersBody(pair(), { photo }),
    },
  }
}

/**
 * @param {Awaited<ReturnType<typeof startServer>>} server
 * @param {LoadWorkload & { name: string }} workload
 * @param {number} rounds
 */
async function measureCall(server, workload, rounds) {
  const { name, clients, warmUpSeconds, capacitySeconds, seconds } = workload
  await measureCapacity(server, workload, { clients, seconds: warmUpSeconds })
  const sustainable = await measureCapacity(server, workload, {
    clients,
    seconds: capacitySeconds,
  })
  console.error(`▸ ${name}: ${roundTo(sustainable, 2)} a second`)
  const steps = []
  for (const load of LOADS) {
    const perSecond = load * sustainable
    const answers = []
    const cores = []
    await server.eventLoopDelayP99()
    for (let round = 0; round < rounds; round++) {
      const times = drawArrivals({ perSecond, seconds })
      const nextBody = prepareBodies(workload.body, times.length)
      const usedCores = watchCores(Number(server.pid))
      answers.push(...(await sendAt(server, { route: workload.route, nextBody }, times)))
      cores.push(usedCores())
    }
    steps.push({
      load,
      perSecond: roundTo(perSecond, 2),
      ...summarizeStep(answers, { seconds, rounds }),
      eventLoopDelayP99Ms: await server.eventLoopDelayP99(),
      cores: averageCores(cores),
    })
  }
  return { sustainablePerSecond: roundTo(sustainable, 2), steps, ...judge(steps) }
}

/** Cores by process, over the rounds of a step until the last answer. */
function averageCores(/** @type {Record<string, number>[]} */ rounds) {
  const names = Object.keys(rounds[0] ?? {})
  return Object.fromEntries(
    names.map((name) => [name, roundTo(mean(rounds.map((cores) => cores[name])), 2)]),
  )
}

/**
 * @param {import('./http-load.js').Answer[]} answers
 * @param {{ seconds: number, rounds: number }} step
 */
function summarizeStep(answers, { seconds, rounds }) {
  const from = SETTLING_SECONDS * 1_000
  const counted = answers.filter(({ dueMs }) => dueMs >= from)
  const served = counted.filter(({ status }) => status === 200)
  const refused = counted.filter(({ status }) => status === 503)
  // Goodput is counted by when answers came, so that a queue which only grows does not pass for service.
  const inTime = answers.filter(({ status, dueMs, latencyMs }) => {
    const endedMs = dueMs + latencyMs
    return status === 200 && endedMs >= from && endedMs < seconds * 1_000
  })
  const latencies = (/** @type {typeof served} */ some) => some.map(({ latencyMs }) => latencyMs)
  const stage = (/** @type {string} */ name) =>
    roundTo(median(served.map(({ timing }) => timing[name] ?? 0)), 1)
  return {
    requests: counted.length,
    served: served.length,
    servedPerSecond: roundTo(inTime.length / (seconds - SETTLING_SECONDS) / rounds, 2),
    refused: refused.length,
    failed: counted.length - served.length - refused.length,
    p50Ms: roundTo(median(latencies(served)), 1),
    p95Ms: roundTo(quantile(latencies(served), 0.95), 1),
    ...summarizeTail(latencies(served)),
    refusal: summarizeTail(latencies(refused)),
    queueP50Ms: stage('queue'),
    visionP50Ms: stage('vision'),
    languageP50Ms: stage('language'),
  }
}

/** @param {({ load: number } & ReturnType<typeof summarizeStep>)[]} steps */
function judge(steps) {
  const at = (/** @type {number} */ load) => steps.find((step) => step.load === load) ?? steps[0]
  const most = Math.max(...steps.map(({ servedPerSecond }) => servedPerSecond))
  const tail = at(3).p99Ms && at(0.8).p99Ms ? 'p99' : 'longest'
  return {
    [`${tail}AtThreefoldToEightTenths`]: roundTo(at(3)[`${tail}Ms`] / at(0.8)[`${tail}Ms`], 2),
    goodputAtThreefoldToMost: roundTo(at(3).servedPerSecond / most, 2),
    longestAtThreefoldMs: at(3).longestMs,
    refusalAtThreefold: at(3).refusal,
  }
}

/**
 * @typedef {object} LoadReport
 * @property {string} benchmark
 * @property {({ name: string } & Awaited<ReturnType<typeof measureCall>>)[]} calls
 * @property {import('./server-profile.js').ProfileSummary} [profile]
 */
