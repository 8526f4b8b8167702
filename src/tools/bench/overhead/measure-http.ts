import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { roundTo } from '../../../text/round-to.js'
import { median, quantile } from '../../statistics/quantile.js'
import { startNoOpServer, type NoOpServer } from '../no-op/start-no-op-server.js'

const RATE_PER_SECOND = 500
const SECONDS = 2
const CONNECTIONS = 32
const ROUNDS = 8

/** Medians over the rounds; `calmestP99Ms` is the p99 of the best round. */
export interface RouteTimes {
  p50Ms: number
  p99Ms: number
  calmestP99Ms: number
  cpuMicroseconds: number
  requestsPerSecond: number
}

export interface HttpOverhead {
  ratePerSecond: number
  serverOnOneCore: boolean
  bare: RouteTimes
  metered: RouteTimes
  addedP50Ms: number
  throughputRatio: number
}

/**
 * Compares the call that computes nothing with a bare Express handler on the same server, over HTTP. Short rounds
 * alternate, so other load on the machine affects both; the calmest round shows what the service itself adds.
 */
export async function measureHttp(dataDir: string): Promise<HttpOverhead> {
  const server = await startNoOpServer({ dataDir }, CONNECTIONS)
  const isPinned = spawnSync('taskset', ['-acp', '0', String(server.pid)]).status === 0
  const sendBare = () => server.send('/bare')
  const sendMetered = () => server.send('/metered')
  const rounds: Record<'bare' | 'metered', Round[]> = { bare: [], metered: [] }
  try {
    await sendSteadily(sendBare, 2)
    await sendSteadily(sendMetered, 2)
    for (let round = 0; round < ROUNDS; round++) {
      rounds.bare.push(await measureRound(server, sendBare))
      rounds.metered.push(await measureRound(server, sendMetered))
    }
  } finally {
    await server.close()
  }
  const bare = summarizeRounds(rounds.bare)
  const metered = summarizeRounds(rounds.metered)
  return {
    ratePerSecond: RATE_PER_SECOND,
    serverOnOneCore: isPinned,
    bare,
    metered,
    addedP50Ms: roundTo(metered.p50Ms - bare.p50Ms, 2),
    throughputRatio: roundTo(metered.requestsPerSecond / bare.requestsPerSecond, 2),
  }
}

interface Round {
  p50Ms: number
  p99Ms: number
  cpuMicroseconds: number
  requestsPerSecond: number
}

/** Sends a request and returns the milliseconds to the end of its answer. */
type Send = () => Promise<number>

async function measureRound({ readCpu }: NoOpServer, sendOne: Send): Promise<Round> {
  const cpuBefore = await readCpu()
  const times = await sendSteadily(sendOne, SECONDS)
  const cpuMicroseconds = ((await readCpu()) - cpuBefore) / times.length
  return {
    p50Ms: median(times),
    p99Ms: quantile(times, 0.99),
    cpuMicroseconds,
    requestsPerSecond: await sendAtFullSpeed(sendOne),
  }
}

function summarizeRounds(rounds: readonly Round[]): RouteTimes {
  const valuesOf = (field: keyof Round) => rounds.map((round) => round[field])
  return {
    p50Ms: roundTo(median(valuesOf('p50Ms')), 2),
    p99Ms: roundTo(median(valuesOf('p99Ms')), 2),
    calmestP99Ms: roundTo(Math.min(...valuesOf('p99Ms')), 2),
    cpuMicroseconds: Math.round(median(valuesOf('cpuMicroseconds'))),
    requestsPerSecond: Math.round(median(valuesOf('requestsPerSecond'))),
  }
}

/** Sends requests at a fixed rate, whether or not earlier ones are answered; returns milliseconds for each. */
async function sendSteadily(sendOne: Send, seconds: number): Promise<number[]> {
  const startedAt = performance.now()
  const pending: Promise<number>[] = []
  for (let index = 0; index < RATE_PER_SECOND * seconds; index++) {
    const aheadMs = startedAt + (index * 1_000) / RATE_PER_SECOND - performance.now()
    if (aheadMs > 0) await sleep(aheadMs)
    pending.push(sendOne())
  }
  return Promise.all(pending)
}

/** Keeps all connections busy for a second; returns requests per second. */
async function sendAtFullSpeed(sendOne: Send): Promise<number> {
  const startedAt = performance.now()
  const endsAt = startedAt + 1_000
  let answered = 0
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (; performance.now() < endsAt; answered++) await sendOne()
    }),
  )
  return answered / ((performance.now() - startedAt) / 1_000)
}
