import { fork, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import path from 'node:path'
import { sql } from 'kysely'
import { projectDir } from '../prepare.js'
import { meterCall } from '../../dist/organizations/meter-call.js'
import { countUsage, reserveQuota, settleQuota } from '../../dist/organizations/quota.js'
import { describeMachine } from '../describe-machine.js'
import { median, quantile } from '../statistics/quantile.js'
import { openNoOpContext } from './no-op-service.js'
import { publish, table } from './publish.js'
import { createScratchFolder } from './scratch-folder.js'

const STEP_RUNS = 2_000
const RATE = 500
const SECONDS = 2
const CONNECTIONS = 32
const ROUNDS = 8

/**
 * What authentication, limits, quota and idempotency add to a call that computes nothing: each step by itself, and
 * the whole path over HTTP against a bare Express handler on the same server, which has one core.
 */
export async function runBenchmark(/** @type {import('./publish.js').BenchmarkOptions} */ options) {
  const folder = createScratchFolder()
  const report = {
    benchmark: 'overhead',
    machine: describeMachine(),
    stepMicroseconds: await measureSteps(path.join(folder, 'steps')),
    http: await measureHttp(path.join(folder, 'http')),
  }
  publish(report, options, { print })
}

async function measureSteps(/** @type {string} */ dataDir) {
  const { context, apiKey, scope, close } = await openNoOpContext(dataDir)
  const { db, clock, rateLimiter } = context
  const limits = { included: 1, softCap: 1e9, hardCap: 1e9, requestsPerMinute: 1e5 }
  const meter = (/** @type {string | undefined} */ idempotencyKey) =>
    meterCall(
      context,
      {
        scope,
        limits,
        idempotencyKey,
        body: Buffer.alloc(32),
        deadline: clock() + 60_000,
        signal: new AbortController().signal,
      },
      {
        parse: () => 0,
        execute: () => Promise.resolve({ answer: { body: 'x'.repeat(300), headers: {} } }),
      },
    )
  const storedKey = randomUUID()
  await meter(storedKey)
  const header = `Bearer ${apiKey}`
  const readingSteps = {
    authenticate: () => context.authenticate(header),
    'rate limit': () => rateLimiter.take('x', 1e5, clock()),
    'usage for the headers': () => countUsage(db, scope, clock()),
    'replay of a stored answer': () => meter(storedKey),
  }
  const writingSteps = {
    'reserve and settle': async () => {
      const terms = { hardCap: 1e9, now: clock(), deadline: clock() + 60_000 }
      await settleQuota(db, await reserveQuota(db, scope, terms), clock())
    },
    'whole metering, no idempotency key': () => meter(undefined),
    'whole metering, idempotency key': () => meter(randomUUID()),
  }
  const normal = await timeSteps({ ...readingSteps, ...writingSteps })
  await sql`pragma synchronous = full`.execute(db)
  const full = await timeSteps(writingSteps)
  await close()
  return { normal, full }
}

async function timeSteps(/** @type {Record<string, () => unknown>} */ steps) {
  /** @type {Record<string, { p50: number, p99: number }>} */
  const result = {}
  for (const [name, step] of Object.entries(steps)) {
    const times = []
    for (let run = -200; run < STEP_RUNS; run++) {
      const startedAt = performance.now()
      await step()
      if (run >= 0) times.push((performance.now() - startedAt) * 1_000)
    }
    result[name] = { p50: round(median(times)), p99: round(quantile(times, 0.99)) }
  }
  return result
}

/** Short rounds by turns: what else the machine does hits both, and the calmest round shows what is ours. */
async function measureHttp(/** @type {string} */ dataDir) {
  const script = path.join(projectDir, 'scripts', 'bench', 'no-op-server.js')
  const child = fork(script, [dataDir], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const { port, apiKey } = await nextMessage(child)
  const pinned = spawnSync('taskset', ['-acp', '0', String(child.pid)]).status === 0
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const send = sender({ port, apiKey, agent })
  /** @type {Record<string, Round[]>} */
  const rounds = { '/bare': [], '/metered': [] }
  try {
    for (const route of Object.keys(rounds)) await sendSteadily(send, route, 2)
    for (let round = 0; round < ROUNDS; round++) {
      for (const [route, results] of Object.entries(rounds)) {
        const before = await cpuOf(child)
        const times = await sendSteadily(send, route, SECONDS)
        const cpu = ((await cpuOf(child)) - before) / times.length
        const perSecond = await sendAtFullSpeed(send, route)
        results.push({ p50: median(times), p99: quantile(times, 0.99), cpu, perSecond })
      }
    }
  } finally {
    agent.destroy()
    child.disconnect()
  }
  const bare = summarizeRounds(rounds['/bare'])
  const metered = summarizeRounds(rounds['/metered'])
  return {
    ratePerSecond: RATE,
    serverOnOneCore: pinned,
    bare,
    metered,
    addedP50Ms: round(metered.p50Ms - bare.p50Ms, 100),
    throughputRatio: round(metered.requestsPerSecond / bare.requestsPerSecond, 100),
  }
}

/** @typedef {{ p50: number, p99: number, cpu: number, perSecond: number }} Round */

function summarizeRounds(/** @type {Round[]} */ rounds) {
  const of = (/** @type {keyof Round} */ field) => rounds.map((round) => round[field])
  return {
    p50Ms: round(median(of('p50')), 100),
    p99Ms: round(median(of('p99')), 100),
    calmestP99Ms: round(Math.min(...of('p99')), 100),
    cpuMicroseconds: round(median(of('cpu'))),
    requestsPerSecond: round(median(of('perSecond'))),
  }
}

/** @typedef {(route: string) => Promise<number>} Send */

/** Sends requests at fixed times, whether or not earlier ones are answered; gives milliseconds for each. */
async function sendSteadily(
  /** @type {Send} */ send,
  /** @type {string} */ route,
  /** @type {number} */ seconds,
) {
  const startedAt = performance.now()
  const pending = []
  for (let index = 0; index < RATE * seconds; index++) {
    const dueMs = startedAt + (index * 1_000) / RATE - performance.now()
    if (dueMs > 0) await new Promise((resolve) => setTimeout(resolve, dueMs))
    pending.push(send(route))
  }
  return Promise.all(pending)
}

/** Keeps every connection busy; gives requests per second. */
async function sendAtFullSpeed(/** @type {Send} */ send, /** @type {string} */ route) {
  const startedAt = performance.now()
  const endsAt = startedAt + 1_000
  let answered = 0
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (; performance.now() < endsAt; answered++) await send(route)
    }),
  )
  return answered / ((performance.now() - startedAt) / 1_000)
}

/** @returns {Send} */
function sender(
  /** @type {{ port: number, apiKey: string, agent: http.Agent }} */ { port, apiKey, agent },
) {
  const body = JSON.stringify({ value: 'x'.repeat(500) })
  return (route) =>
    new Promise((resolve, reject) => {
      const startedAt = performance.now()
      const request = http.request(
        {
          port,
          agent,
          host: '127.0.0.1',
          path: route,
          method: 'POST',
          headers: {
            'Content-Type': 'application/json',
            'Content-Length': Buffer.byteLength(body),
            Authorization: `Bearer ${apiKey}`,
            'X-Idempotency-Key': randomUUID(),
          },
        },
        (response) => {
          if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`))
          response.resume().once('end', () => resolve(performance.now() - startedAt))
        },
      )
      request.once('error', reject).end(body)
    })
}

async function cpuOf(/** @type {import('node:child_process').ChildProcess} */ child) {
  child.send('cpu')
  const { cpu } = await nextMessage(child)
  return cpu.user + cpu.system
}

async function nextMessage(/** @type {import('node:child_process').ChildProcess} */ child) {
  const [message] = await once(child, 'message')
  return message
}

function round(/** @type {number} */ value, precision = 1) {
  return Math.round(value * precision) / precision
}

function print(
  /** @type {any} */ { stepMicroseconds, http: over },
  /** @type {import('./publish.js').Say} */ say,
) {
  for (const [mode, steps] of Object.entries(stepMicroseconds)) {
    say(`\nSteps, synchronous = ${mode}\n`)
    say(
      table(
        Object.entries(steps).map(([step, { p50, p99 }]) => ({
          step,
          'p50, µs': p50,
          'p99, µs': p99,
        })),
      ),
    )
  }
  const { ratePerSecond, serverOnOneCore, bare, metered } = over
  say(`\nOver HTTP, the server ${serverOnOneCore ? 'on one core' : 'not pinned'}\n`)
  say(
    table(
      Object.entries({ bare, metered }).map(([route, round]) => ({
        route,
        [`p50 at ${ratePerSecond}/s, ms`]: round.p50Ms,
        'p99, ms': round.p99Ms,
        'CPU a request, µs': round.cpuMicroseconds,
        'requests /s, 32 clients': round.requestsPerSecond,
      })),
    ),
  )
  say(`\nAdded: p50 ${over.addedP50Ms} ms; throughput ratio ${over.throughputRatio}`)
}
