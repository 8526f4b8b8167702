import { rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { databaseFile, type Database } from '../../database/open-database.js'
import { replyRateByStyle } from '../../events/reply-rate-by-style.js'
import { weeklyRetention } from '../../events/weekly-retention.js'
import { roundTo } from '../../text/round-to.js'
import { describeMachine } from '../describe-machine.js'
import { median, quantile } from '../statistics/quantile.js'
import type { BenchOptions } from './bench-options.js'
import { createScratchFolder } from './create-scratch-folder.js'
import { openPlainWriter, openServiceWriter, type EventWriter } from './events/event-writers.js'
import {
  createEventSource,
  SCOPE,
  YEAR_END,
  YEAR_MS,
  type EventSource,
} from './events/synthetic-events.js'
import { formatTable, publish, type Print, type Report } from './report/publish.js'
import { timeEach, timeRepeatedly } from './time-each.js'

const BATCH_SIZE = 1_000
const ROUNDS = 5
const BATCHES_PER_ROUND = 10
const SINGLES_PER_ROUND = 100
const SIZES = [10_000, 100_000, 1_000_000, 5_000_000]
/** Larger than the API allows, to fill a database in a quarter of the time. */
const FILL_BATCH_SIZE = 10_000
const MEASURED_BATCHES = 100
const QUERY_RUNS = 21

type Row = Record<string, number>

interface EventsReport extends Report {
  /** By size of the batches. */
  recordsPerSecond: Record<string, Row>
  /** A row for each size of the database. */
  growth: Row[]
}

/**
 * Measures the durable ingest of events against plain better-sqlite3, and the analytics over a year of ten thousand to
 * five million events, all of which pass through the real ingest.
 */
export async function runBenchmark(options: BenchOptions): Promise<void> {
  const folder = createScratchFolder()
  const recordsPerSecond = await measureIngest(path.join(folder, 'ingest'))
  const growth: Row[] = []
  for (const size of SIZES) {
    growth.push(await measureSize(path.join(folder, 'growth', String(size)), size))
  }
  const machine = describeMachine()
  const report: EventsReport = { benchmark: 'events', machine, recordsPerSecond, growth }
  publish(report, options, { print: printReport })
}

/** The service and plain inserts alternate on the same disk, so other load on the machine affects all. */
async function measureIngest(folder: string): Promise<Record<string, Row>> {
  const perRound = BATCHES_PER_ROUND * BATCH_SIZE + SINGLES_PER_ROUND
  const source = createEventSource(ROUNDS * perRound)
  const writers: EventWriter[] = [
    await openServiceWriter(path.join(folder, 'ours'), source),
    await openPlainWriter(path.join(folder, 'durable'), source, 'full'),
    await openPlainWriter(path.join(folder, 'not-durable'), source, 'normal'),
  ]
  const ofBatches = writers.map((): number[] => [])
  const ofSingles = writers.map((): number[] => [])
  for (let round = 0; round < ROUNDS; round++) {
    const batches = takeBatches(source, BATCHES_PER_ROUND, BATCH_SIZE)
    const singles = takeBatches(source, SINGLES_PER_ROUND, 1)
    for (const [i, writer] of writers.entries()) {
      ofBatches[i]!.push(await measureRate(writer, batches))
    }
    for (const [i, writer] of writers.entries()) {
      ofSingles[i]!.push(await measureRate(writer, singles))
    }
  }
  for (const writer of writers) await writer.close()
  return { 'batches of 1,000': toIngestRow(ofBatches), 'batches of 1': toIngestRow(ofSingles) }
}

type Batches = ReturnType<typeof takeBatches>

function takeBatches(source: EventSource, count: number, size: number) {
  return Array.from({ length: count }, () => source.take(size))
}

/** Records per second. */
async function measureRate(writer: EventWriter, batches: Batches): Promise<number> {
  await setImmediate()
  writer.prepare(batches.flat())
  const startedAt = performance.now()
  for (const records of batches) await writer.store(records)
  const seconds = (performance.now() - startedAt) / 1_000
  return batches.flat().length / seconds
}

/** @param rates - by round, of the service and of both plain writers */
function toIngestRow(rates: readonly number[][]): Row {
  const [ours, durable, notDurable] = rates.map((values) => median(values)) as [
    number,
    number,
    number,
  ]
  return {
    'storeEvents, durable': Math.round(ours),
    'better-sqlite3, durable': Math.round(durable),
    'better-sqlite3, not durable': Math.round(notDurable),
    'storeEvents : better-sqlite3, durable': roundTo(ours / durable, 2),
  }
}

/** Fills a new database with a year of events, so that analytics cover the same days and weeks at every size. */
async function measureSize(dataDir: string, size: number): Promise<Row> {
  const source = createEventSource(size)
  const { db, store, close } = await openServiceWriter(dataDir, source)
  const batchCount = Math.min(MEASURED_BATCHES, size / BATCH_SIZE / 2)
  await fill(source, store, size - batchCount * BATCH_SIZE)
  const batches = takeBatches(source, batchCount, BATCH_SIZE)
  const batchTimes = await timeEach(batches.map((records) => () => store(records)))
  const queries = await measureQueries(db)
  await close()
  const databaseMb = Math.round(statSync(databaseFile(dataDir)).size / 1e6)
  rmSync(dataDir, { recursive: true })
  return {
    events: size,
    'end users': queries.endUsers,
    'database, MB': databaseMb,
    'reply rate, ms p50': roundTo(median(queries.rate), 2),
    'reply rate, ms max': roundTo(Math.max(...queries.rate), 2),
    'reply rate of a tone, ms p50': roundTo(median(queries.toneRate), 2),
    'retention, ms p50': roundTo(median(queries.retention), 2),
    'retention, ms max': roundTo(Math.max(...queries.retention), 2),
    'batch of 1,000, ms p50': roundTo(median(batchTimes), 2),
    'batch of 1,000, ms p99': roundTo(quantile(batchTimes, 0.99), 2),
  }
}

async function fill(
  source: EventSource,
  store: EventWriter['store'],
  count: number,
): Promise<void> {
  for (let remaining = count; remaining > 0; remaining -= FILL_BATCH_SIZE) {
    await store(source.take(Math.min(FILL_BATCH_SIZE, remaining)))
    await setImmediate()
    if (remaining % 1_000_000 === 0) console.error(`▸ ${remaining} events to come`)
  }
}

async function measureQueries(db: Database) {
  const year = { ...SCOPE, from: YEAR_END - YEAR_MS, to: YEAR_END }
  const weeks = { ...year, now: YEAR_END, weeks: 53 }
  const rate = await timeRepeatedly(QUERY_RUNS, () => replyRateByStyle(db, year))
  const ofTone = { ...year, tone: 'warm' as const }
  const toneRate = await timeRepeatedly(QUERY_RUNS, () => replyRateByStyle(db, ofTone))
  const retention = await timeRepeatedly(QUERY_RUNS, () => weeklyRetention(db, weeks))
  const cohorts = await weeklyRetention(db, weeks)
  return { rate, toneRate, retention, endUsers: cohorts.reduce((sum, { users }) => sum + users, 0) }
}

function printReport({ recordsPerSecond, growth }: EventsReport, print: Print): void {
  print('\nRecords a second, one batch at a time\n')
  print(
    formatTable(
      Object.entries(recordsPerSecond).map(([batches, rates]) => ({ batches, ...rates })),
    ),
  )
  print('\nAnalytics over a year of events\n')
  print(formatTable(growth))
}
