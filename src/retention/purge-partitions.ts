import { setTimeout as delay } from 'node:timers/promises'
import { sql, type RawBuilder } from 'kysely'
import { countBlocks } from '../database/postgres/block-ranges.js'
import {
  dropEventPartition,
  listEventPartitions,
  type EventPartition,
} from '../database/postgres/event-partitions.js'
import { countRows } from '../database/delete-in-batches.js'
import type { Database } from '../database/open-database.js'

/** About 4,000 events; their keys are deleted in some 50 ms. */
const BATCH_BLOCKS = 64
const BATCH_ROWS = 1_000

/**
 * Deletes the events on PostgreSQL that happened before a time: whole months by dropping their partitions, which takes no longer
 * for more events, and the rest in batches. Their keys go first, so an interruption leaves no key without its event: a batch
 * that is sent again later is refused because it is too old.
 * @param time - milliseconds since the epoch
 * @returns the number of deleted events
 */
export async function purgePartitions(
  db: Database,
  time: number,
  { dryRun }: { dryRun: boolean },
): Promise<number> {
  if (dryRun) return countRows(db, { table: 'events', where: sql`happened_at < ${time}` })
  let deleted = 0
  for (const partition of await listEventPartitions(db)) {
    if (partition.to <= time) deleted += await dropWhole(db, partition)
    else if (partition.from < time) deleted += await deleteRest(db, partition, time)
  }
  return deleted
}

async function dropWhole(db: Database, { table }: EventPartition): Promise<number> {
  const rows = await countRows(db, { table, where: sql`true` })
  const blocks = await countBlocks(db, table)
  for (let block = 0; block < blocks; block += BATCH_BLOCKS) {
    const [first, end] = [`(${block},0)`, `(${block + BATCH_BLOCKS},0)`]
    const gone = sql`
      select scope_id, idempotency_key from ${sql.table(table)}
      where ctid >= ${first}::tid and ctid < ${end}::tid
    `
    await inTurn(() => deleteKeys(db, gone))
  }
  await dropEventPartition(db, table)
  return rows
}

async function deleteRest(db: Database, { table }: EventPartition, time: number): Promise<number> {
  const name = sql.table(table)
  for (let deleted = 0; ;) {
    const rows = await inTurn(() =>
      deleteKeys(
        db,
        sql`
          delete from ${name}
          where ctid = any(array(select ctid from ${name} where happened_at < ${time} limit ${BATCH_ROWS}))
          returning scope_id, idempotency_key
        `,
      ),
    )
    deleted += rows
    if (rows < BATCH_ROWS) return deleted
  }
}

/** Pauses for as long as the work took, so that requests get their turn. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  const result = await work()
  await delay(performance.now() - startedAt)
  return result
}

/** @param gone - selects, or deletes and returns, the events whose keys are deleted */
async function deleteKeys(db: Database, gone: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await sql`
    with gone as (${gone})
    delete from event_keys using gone
    where event_keys.scope_id = gone.scope_id and event_keys.idempotency_key = gone.idempotency_key
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
