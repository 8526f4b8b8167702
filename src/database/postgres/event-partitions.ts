import { sql } from 'kysely'
import { lockFor } from '../lock-for.js'
import type { Database } from '../open-database.js'

/** A partition of `events`: those that happened in one calendar month in UTC. */
export interface EventPartition {
  table: string
  /** Milliseconds since the epoch; `to` is excluded. */
  from: number
  to: number
}

/** Names of the partitions; other tables never have one like it. */
const NAME = /^events_(\d{4})_(\d{2})$/

export function partitionOf(time: number): EventPartition {
  const date = new Date(time)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  const table = `events_${year}_${String(month + 1).padStart(2, '0')}`
  return { table, from: Date.UTC(year, month), to: Date.UTC(year, month + 1) }
}

/** The partitions that exist, earliest first. */
export async function listEventPartitions(db: Database): Promise<EventPartition[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'events'::regclass order by relname
  `.execute(db)
  return rows.flatMap(({ name }) => {
    const [, year, month] = NAME.exec(name) ?? []
    return year === undefined ? [] : [partitionOf(Date.UTC(Number(year), Number(month) - 1))]
  })
}

/**
 * Creates the partitions for events of these times that do not exist. Usually `keepPartitionsAhead` has created them; late
 * events and a clock that was set forward need others.
 * @param transaction - creates them when it commits; others that create partitions wait for it
 * @param times - milliseconds since the epoch
 */
export async function ensureEventPartitions(
  transaction: Database,
  times: readonly number[],
): Promise<void> {
  const wanted = new Map(times.map(partitionOf).map((partition) => [partition.table, partition]))
  const missing = await selectMissing(transaction, [...wanted.keys()])
  if (missing.length === 0) return
  await lockFor(transaction, 'event partitions')
  // Another process may have created them meanwhile. This session still remembers that there was no such table, so it must look
  // at the rows of the catalogue.
  const existing = new Set((await listEventPartitions(transaction)).map(({ table }) => table))
  for (const table of missing) {
    if (!existing.has(table)) await create(transaction, wanted.get(table) as EventPartition)
  }
}

async function selectMissing(db: Database, tables: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${[...tables]}::text[]) as name where to_regclass(name) is null
  `.execute(db)
  return rows.map(({ name }) => name)
}

/** Attaching lets transactions that store events go on; `create table … partition of` would wait for all of them. */
async function create(db: Database, { table, from, to }: EventPartition): Promise<void> {
  const name = sql.table(table)
  await sql`create table ${name} (like events including all)`.execute(db)
  await sql`
    alter table events attach partition ${name} for values from (${sql.lit(from)}) to (${sql.lit(to)})
  `.execute(db)
}

/** A drop waits for the transactions that read or store events, and others wait for it meanwhile. */
const DROP_LOCK_TIMEOUT = '2s'

/**
 * Drops a partition with its events; their keys must be gone.
 * @throws StorageError `locked` when events are in use without a pause
 */
export async function dropEventPartition(db: Database, table: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await lockFor(transaction, 'event partitions')
    await sql`select set_config('lock_timeout', ${DROP_LOCK_TIMEOUT}, true)`.execute(transaction)
    await sql`drop table if exists ${sql.table(table)}`.execute(transaction)
  })
}
