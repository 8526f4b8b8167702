import { sql } from 'kysely'
import type { Database } from '../../../database/open-database.js'
import type { EventRecord } from '../../../events/events-contract.js'
import { storeEvents } from '../../../events/store-events.js'
import { roundTo } from '../../../text/round-to.js'
import { median, quantile } from '../../statistics/quantile.js'
import { timeEach } from '../time-each.js'
import { createArrivingEvents } from './arriving-events.js'
import { SCOPE, YEAR_END } from './synthetic-events.js'

/** The most that the API takes at once. */
const BATCH_SIZE = 1_000

/** A database with a year of events, and calls to which new ones can refer. */
export interface FilledYear {
  db: Database
  events: number
  sparePairs: number
}

export interface IngestTimes {
  events: number
  databaseBytes: number
  /** Milliseconds of each batch of 1,000. */
  p50Ms: number
  p95Ms: number
  maxMs: number
  /** Bytes that a batch writes to the write-ahead log, those of checkpoints included. */
  walBytes: number
}

/**
 * Stores batches of new events in each of several databases, which take turns batch by batch.
 * @param batches - of each database
 * @param warmUp - batches before those that are measured
 */
export async function compareIngest(
  years: readonly FilledYear[],
  { batches, warmUp, seed }: { batches: number; warmUp: number; seed: number },
): Promise<IngestTimes[]> {
  const contenders = years.map((year) => ({
    ...year,
    arriving: createArrivingEvents(year, seed),
    times: [] as number[],
    walBytes: 0,
  }))
  for (let batch = 0; batch < warmUp + batches; batch++) {
    for (const contender of contenders) {
      const { db, arriving, times } = contender
      const records = arriving.splice(-BATCH_SIZE)
      if (records.length < BATCH_SIZE) throw new Error('The year has too few spare calls.')
      const before = await readWal(db)
      const [ms] = await timeEach([() => storeNew(db, records)])
      if (batch < warmUp) continue
      times.push(ms!)
      contender.walBytes += (await readWal(db)) - before
    }
  }
  return Promise.all(
    contenders.map(async ({ db, events, times, walBytes }) => ({
      events,
      databaseBytes: await readSize(db),
      p50Ms: roundTo(median(times), 1),
      p95Ms: roundTo(quantile(times, 0.95), 1),
      maxMs: roundTo(Math.max(...times), 1),
      walBytes: Math.round(walBytes / batches),
    })),
  )
}

async function storeNew(db: Database, records: readonly EventRecord[]): Promise<void> {
  const { accepted } = await storeEvents(db, { scope: SCOPE, records }, YEAR_END)
  if (accepted !== records.length) throw new Error('An event was not new.')
}

async function readWal(db: Database): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes
  `.execute(db)
  return rows[0]!.bytes
}

async function readSize(db: Database): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select pg_database_size(current_database()) as bytes
  `.execute(db)
  return rows[0]!.bytes
}
