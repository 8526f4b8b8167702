import { randomBytes, randomUUID } from 'node:crypto'
import { rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { insertCall } from '../../dist/events/record-call.js'
import { replyRateByStyle } from '../../dist/events/reply-rate-by-style.js'
import { storeEvents } from '../../dist/events/store-events.js'
import { weeklyRetention } from '../../dist/events/weekly-retention.js'
import { meterCall } from '../../dist/metering/meter-call.js'
import { describeMachine } from '../describe-machine.js'
import { median, quantile } from '../statistics/quantile.js'
import { openNoOpContext } from './no-op-service.js'
import { linePlot } from './plot.js'
import { publish, table } from './publish.js'
import { createScratchFolder } from './scratch-folder.js'
import { roundTo } from './statistics.js'
import { createEventSource, EVENTS_PER_CALL, SCOPE, YEAR_END, YEAR_MS } from './synthetic-events.js'
import { timeEach } from './time-each.js'

const REQUESTS = [10_000, 100_000, 1_000_000, 10_000_000]
const BATCH = 1_000
const BATCHES = 10
const CALLS = 500
const QUERIES = 11

/**
 * What a call, a report of events and the analytics on ten thousand events cost when the database holds more and more
 * requests.
 */
export async function runBenchmark(/** @type {import('./publish.js').BenchmarkOptions} */ options) {
  const folder = createScratchFolder()
  const sizes = []
  for (const requests of REQUESTS) {
    const dataDir = path.join(folder, String(requests))
    sizes.push(await measureSize(dataDir, requests))
    rmSync(dataDir, { recursive: true })
    console.error(`▸ ${requests} requests`)
  }
  publish({ benchmark: 'growth', machine: describeMachine(), sizes }, options, { print, plots })
}

/**
 * @param {string} dataDir
 * @param {number} requests
 */
async function measureSize(dataDir, requests) {
  const { context, scope, close } = await openNoOpContext(dataDir)
  const { db } = context
  const source = createEventSource(requests * EVENTS_PER_CALL)
  await source.prepare(db)
  const year = { ...SCOPE, from: YEAR_END - YEAR_MS, to: YEAR_END }
  const batches = Array.from({ length: BATCHES }, () => source.take(BATCH))
  const store = (/** @type {any[]} */ records) =>
    storeEvents(db, { scope: SCOPE, records }, YEAR_END)
  const times = {
    batchMs: await timeEach(batches.map((records) => () => store(records))),
    callMs: await timeEach(Array.from({ length: CALLS }, () => () => meterNoOp(context, scope))),
    replyRateMs: await timeEach(
      Array.from({ length: QUERIES }, () => () => replyRateByStyle(db, year)),
    ),
    retentionMs: await timeEach(
      Array.from(
        { length: QUERIES },
        () => () => weeklyRetention(db, { ...year, now: YEAR_END, weeks: 53 }),
      ),
    ),
  }
  await close()
  const p50 = (/** @type {number[]} */ values) => roundTo(median(values), 2)
  return {
    requests,
    databaseMb: Math.round(statSync(path.join(dataDir, 'service.db')).size / 1e6),
    callP50Ms: p50(times.callMs),
    callP99Ms: roundTo(quantile(times.callMs, 0.99), 2),
    batchP50Ms: p50(times.batchMs),
    replyRateP50Ms: p50(times.replyRateMs),
    retentionP50Ms: p50(times.retentionMs),
  }
}

/**
 * Quota, idempotency, settling and the record of one call.
 * @param {any} context
 * @param {any} scope
 */
function meterNoOp(context, scope) {
  const limits = { included: 1, softCap: 1e9, hardCap: 1e9, requestsPerMinute: 1e5 }
  const request = {
    scope,
    limits,
    idempotencyKey: randomUUID(),
    body: Buffer.alloc(32),
    deadline: Date.now() + 60_000,
    signal: new AbortController().signal,
  }
  const answer = { body: 'x'.repeat(300), headers: {} }
  const call = {
    ...scope,
    requestId: `req_${randomBytes(12).toString('hex')}`,
    createdAt: YEAR_END,
  }
  return meterCall(context, request, {
    parse: () => 0,
    execute: async () => ({
      answer,
      record: (/** @type {any} */ transaction) => insertCall(transaction, call),
    }),
  })
}

/** @typedef {{ sizes: Awaited<ReturnType<typeof measureSize>>[] }} Report */

function print(/** @type {Report} */ { sizes }, /** @type {import('./publish.js').Say} */ say) {
  say(
    table(
      sizes.map((size) => ({
        requests: size.requests,
        'database, MB': size.databaseMb,
        'metering a call, p50 ms': size.callP50Ms,
        'p99 ms': size.callP99Ms,
        '1,000 events, p50 ms': size.batchP50Ms,
        'reply rate, ms': size.replyRateP50Ms,
        'retention, ms': size.retentionP50Ms,
      })),
    ),
  )
}

function plots(/** @type {Report} */ { sizes }) {
  const seriesOf = (/** @type {'callP50Ms' | 'batchP50Ms'} */ field) =>
    sizes.map((size) => /** @type {[number, number]} */ ([size.requests, size[field]]))
  return {
    growth: linePlot({
      title: 'The same work in a growing database',
      x: { name: 'requests in the database', log: true },
      y: { name: 'ms, p50', log: true },
      series: {
        'metering a call': seriesOf('callP50Ms'),
        '1,000 events': seriesOf('batchP50Ms'),
      },
    }),
  }
}
