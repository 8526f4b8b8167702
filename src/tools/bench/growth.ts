import { randomBytes, randomUUID } from 'node:crypto'
import { rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { databaseFile } from '../../database/open-database.js'
import { recordCall } from '../../events/record-call.js'
import { replyRateByStyle } from '../../events/reply-rate-by-style.js'
import { storeEvents } from '../../events/store-events.js'
import { weeklyRetention } from '../../events/weekly-retention.js'
import { roundTo } from '../../text/round-to.js'
import { describeMachine } from '../describe-machine.js'
import { median, quantile } from '../statistics/quantile.js'
import type { BenchOptions } from './bench-options.js'
import { createScratchFolder } from './create-scratch-folder.js'
import {
  createEventSource,
  EVENTS_PER_CALL,
  SCOPE,
  YEAR_END,
  YEAR_MS,
} from './events/synthetic-events.js'
import { meterNoOp } from './no-op/meter-no-op.js'
import { openNoOpService, type NoOpService } from './no-op/no-op-service.js'
import { drawLinePlot, type Point } from './report/line-plot.js'
import { formatTable, publish, type Print, type Report } from './report/publish.js'
import { timeEach, timeRepeatedly } from './time-each.js'

const REQUESTS = [10_000, 100_000, 1_000_000, 10_000_000]
const BATCH_SIZE = 1_000
const BATCHES = 10
const CALLS = 500
const QUERIES = 11

interface DatabaseSize {
  requests: number
  databaseMb: number
  callP50Ms: number
  callP99Ms: number
  batchP50Ms: number
  replyRateP50Ms: number
  retentionP50Ms: number
}

interface GrowthReport extends Report {
  sizes: DatabaseSize[]
}

/** Measures a call, a report of events, and the analytics over ten thousand events, in databases with more and more requests. */
export async function runBenchmark(options: BenchOptions): Promise<void> {
  const folder = createScratchFolder()
  const sizes: DatabaseSize[] = []
  for (const requests of REQUESTS) {
    const dataDir = path.join(folder, String(requests))
    sizes.push(await measureSize(dataDir, requests))
    rmSync(dataDir, { recursive: true })
    console.error(`▸ ${requests} requests`)
  }
  const report: GrowthReport = { benchmark: 'growth', machine: describeMachine(), sizes }
  publish(report, options, { print: printReport, plots: plotGrowth })
}

async function measureSize(dataDir: string, requests: number): Promise<DatabaseSize> {
  const service = await openNoOpService(dataDir)
  const { db } = service.context
  const source = createEventSource(requests * EVENTS_PER_CALL)
  await source.prepare(db)
  const year = { ...SCOPE, from: YEAR_END - YEAR_MS, to: YEAR_END }
  const weeks = { ...year, now: YEAR_END, weeks: 53 }
  const batches = Array.from({ length: BATCHES }, () => source.take(BATCH_SIZE))
  const batchMs = await timeEach(
    batches.map((records) => () => storeEvents(db, { scope: SCOPE, records }, YEAR_END)),
  )
  const callMs = await timeRepeatedly(CALLS, () => meterAndRecord(service))
  const replyRateMs = await timeRepeatedly(QUERIES, () => replyRateByStyle(db, year))
  const retentionMs = await timeRepeatedly(QUERIES, () => weeklyRetention(db, weeks))
  await service.context.close()
  return {
    requests,
    databaseMb: Math.round(statSync(databaseFile(dataDir)).size / 1e6),
    callP50Ms: roundTo(median(callMs), 2),
    callP99Ms: roundTo(quantile(callMs, 0.99), 2),
    batchP50Ms: roundTo(median(batchMs), 2),
    replyRateP50Ms: roundTo(median(replyRateMs), 2),
    retentionP50Ms: roundTo(median(retentionMs), 2),
  }
}

/** Quota, idempotency, settlement and the record of one call. */
function meterAndRecord({ context, scope }: NoOpService): Promise<void> {
  const requestId = `req_${randomBytes(12).toString('hex')}`
  return meterNoOp(context, {
    scope,
    idempotencyKey: randomUUID(),
    record: (transaction) => recordCall(transaction, { ...scope, requestId, createdAt: YEAR_END }),
  })
}

function printReport({ sizes }: GrowthReport, print: Print): void {
  print(
    formatTable(
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

function plotGrowth({ sizes }: GrowthReport): Record<string, string> {
  const lineOf = (field: 'callP50Ms' | 'batchP50Ms') =>
    sizes.map((size): Point => [size.requests, size[field]])
  return {
    growth: drawLinePlot({
      title: 'The same work in a growing database',
      x: { name: 'requests in the database', log: true },
      y: { name: 'ms, p50', log: true },
      series: { 'metering a call': lineOf('callP50Ms'), '1,000 events': lineOf('batchP50Ms') },
    }),
  }
}
