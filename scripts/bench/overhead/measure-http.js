import { fork, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import path from 'node:path'
import { projectDir } from '../../prepare.js'
import { median, quantile } from '../../statistics/quantile.js'
import { roundTo } from '../statistics.js'

const RATE = 500
const SECONDS = 2
const CONNECTIONS = 32
const ROUNDS = 8

/**
 * The whole path against a bare handler. Short rounds by turns: what else the machine does hits both, and the calmest round
 * shows what is ours.
 */
export async function measureHttp(/** @type {string} */ dataDir) {
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
    addedP50Ms: roundTo(metered.p50Ms - bare.p50Ms, 2),
    throughputRatio: roundTo(metered.requestsPerSecond / bare.requestsPerSecond, 2),
  }
}

/** @typedef {{ p50: number, p99: number, cpu: number, perSecond: number }} Round */

function summarizeRounds(/** @type {Round[]} */ rounds) {
  const of = (/** @type {keyof Round} */ field) => rounds.map((round) => round[field])
  return {
    p50Ms: roundTo(median(of('p50')), 2),
    p99Ms: roundTo(median(of('p99')), 2),
    calmestP99Ms: roundTo(Math.min(...of('p99')), 2),
    cpuMicroseconds: Math.round(median(of('cpu'))),
    requestsPerSecond: Math.round(median(of('perSecond'))),
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
