import { isDeepStrictEqual } from 'node:util'
import { setImmediate } from 'node:timers/promises'
import type { Database } from '../../database/open-database.js'
import type { EventRecord } from '../../events/events-contract.js'
import { replyRateByStyle } from '../../events/reply-rate-by-style.js'
import { replyRateByTone } from '../../events/reply-rate-by-tone.js'
import { storeEvents } from '../../events/store-events.js'
import { weeklyReplyRate } from '../../events/weekly-reply-rate.js'
import { weeklyRetention } from '../../events/weekly-retention.js'
import { roundTo } from '../../text/round-to.js'
import { describeMachine } from '../describe-machine.js'
import { median, quantile } from '../statistics/quantile.js'
import type { BenchOptions } from './bench-options.js'
import { createScratchFolder } from './create-scratch-folder.js'
import { openContendingDatabases, type ContendingDatabase } from './events/contending-databases.js'
import { createEventSource, SCOPE, YEAR_END, YEAR_MS } from './events/synthetic-events.js'
import { formatTable, publish, type Print, type Report } from './report/publish.js'
import { timeEach, timeRepeatedly } from './time-each.js'

const EVENTS = 300_000
/** The most that the API takes at once. */
const BATCH_SIZE = 1_000
const ROUNDS = 10
const BATCHES_PER_ROUND = EVENTS / BATCH_SIZE / ROUNDS
const PARTNERS = 4
const BATCHES_PER_PARTNER = 15
const REPORT_RUNS = 21

type Row = Record<string, string | number>

interface ScaleReport extends Report {
  events: number
  versions: Record<string, string>
  ingest: Row[]
  reports: Row[]
}

/** Milliseconds of each batch. */
interface IngestTimes {
  fresh: number[]
  repeated: number[]
}

const REPORTS: Record<string, (db: Database) => Promise<unknown>> = {
  'reply rate by style': (db) => replyRateByStyle(db, YEAR),
  'reply rate by tone': (db) => replyRateByTone(db, YEAR),
  'reply rate by week': (db) => weeklyReplyRate(db, YEAR),
  'retention, 52 weeks': (db) => weeklyRetention(db, { ...YEAR, now: YEAR_END, weeks: 52 }),
}
const YEAR = { ...SCOPE, from: YEAR_END - YEAR_MS, to: YEAR_END }

/**
 * Stores 300,000 events of a year through the service's own code on SQLite and on PostgreSQL, each batch twice, and compares the
 * reports of the portal on both, in time and in content. The databases take turns with the same events.
 */
export async function runBenchmark(options: BenchOptions): Promise<void> {
  const databases = await openContendingDatabases(createScratchFolder())
  try {
    const ingest = await measureIngest(databases)
    const reports = await measureReports(databases)
    const versions = Object.fromEntries(databases.map(({ name, version }) => [name, version]))
    const machine = describeMachine()
    const report: ScaleReport = {
      benchmark: 'scale',
      machine,
      events: EVENTS,
      versions,
      ingest,
      reports,
    }
    publish(report, options, { print: printReport })
  } finally {
    for (const { close } of databases) await close()
  }
}

async function measureIngest(databases: readonly ContendingDatabase[]): Promise<Row[]> {
  const source = createEventSource(EVENTS)
  for (const { db } of databases) await source.prepare(db)
  const times = databases.map((): IngestTimes => ({ fresh: [], repeated: [] }))
  for (let round = 0; round < ROUNDS; round++) {
    const batches = Array.from({ length: BATCHES_PER_ROUND }, () => source.take(BATCH_SIZE))
    for (const [index, { db }] of databases.entries()) {
      times[index]!.fresh.push(...(await storeAll(db, batches, 'accepted')))
      times[index]!.repeated.push(...(await storeAll(db, batches, 'duplicates')))
    }
  }
  for (const { name, db } of databases) await requireCountedOnce(name, db)
  const ofPartners = await measurePartners(databases)
  return databases.map(({ name }, index) => ({
    ...toIngestRow(name, times[index]!),
    [`of ${PARTNERS} partners at once`]: ofPartners[index]!,
  }))
}

/** Events a second of partners that send at the same time, each one batch after the other. */
async function measurePartners(databases: readonly ContendingDatabase[]): Promise<number[]> {
  const total = BATCHES_PER_PARTNER * BATCH_SIZE
  const partners = Array.from({ length: PARTNERS }, (_, i) => createEventSource(total, i + 1))
  for (const { db } of databases) for (const { prepare } of partners) await prepare(db)
  const work = partners.map(({ scope, take }) => ({
    scope,
    batches: Array.from({ length: BATCHES_PER_PARTNER }, () => take(BATCH_SIZE)),
  }))
  const rates: number[] = []
  for (const { db } of databases) {
    const startedAt = performance.now()
    await Promise.all(
      work.map(async ({ scope, batches }) => {
        for (const records of batches) await storeEvents(db, { scope, records }, YEAR_END)
      }),
    )
    rates.push(Math.round((PARTNERS * total * 1_000) / (performance.now() - startedAt)))
  }
  return rates
}

/** @param expected - what all records of all batches must be */
async function storeAll(
  db: Database,
  batches: readonly EventRecord[][],
  expected: 'accepted' | 'duplicates',
): Promise<number[]> {
  return timeEach(
    batches.map((records) => async () => {
      const stored = await storeEvents(db, { scope: SCOPE, records }, YEAR_END)
      if (stored[expected] !== records.length) throw new Error('An event was not counted once.')
    }),
  )
}

async function requireCountedOnce(name: string, db: Database): Promise<void> {
  const { stored } = await db
    .selectFrom('events')
    .select(({ fn }) => fn.countAll<number>().as('stored'))
    .executeTakeFirstOrThrow()
  if (stored !== EVENTS) throw new Error(`${name} has ${stored} events in place of ${EVENTS}.`)
}

function toIngestRow(database: string, { fresh, repeated }: IngestTimes): Row {
  const rate = (times: readonly number[]) =>
    Math.round((times.length * BATCH_SIZE * 1_000) / times.reduce((sum, time) => sum + time, 0))
  return {
    database,
    'new events a second': rate(fresh),
    'batch of 1,000, ms p50': roundTo(median(fresh), 1),
    'ms p99': roundTo(quantile(fresh, 0.99), 1),
    'repeated events a second': rate(repeated),
  }
}

async function measureReports(databases: readonly ContendingDatabase[]): Promise<Row[]> {
  const rows: Row[] = []
  for (const [name, report] of Object.entries(REPORTS)) {
    const row: Row = { report: name }
    const contents: unknown[] = []
    for (const database of databases) {
      await setImmediate()
      contents.push(await report(database.db))
      const times = await timeRepeatedly(REPORT_RUNS, () => report(database.db))
      row[`${database.name}, ms p50`] = roundTo(median(times), 2)
      row[`${database.name}, ms max`] = roundTo(Math.max(...times), 2)
    }
    if (!contents.every((content) => isDeepStrictEqual(content, contents[0]))) {
      throw new Error(`The databases differ in this report: ${name}.`)
    }
    rows.push(row)
  }
  return rows
}

function printReport(
  { machine, events, versions, ingest, reports }: ScaleReport,
  print: Print,
): void {
  const contenders = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  print(
    `\n${machine.cpu}, ${machine.cores} cores, Node ${machine.node}; ${events.toLocaleString('en')} events; ${contenders.join(', ')}\n`,
  )
  print(formatTable(ingest))
  print('\nReports of the portal over the year\n')
  print(formatTable(reports))
}
