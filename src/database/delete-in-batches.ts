import { setTimeout as delay } from 'node:timers/promises'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Database } from './open-database.js'

/** Deleting a batch takes a few milliseconds, which is the longest a request may wait for it. */
const BATCH_ROWS = 1_000

/** Rows of a table to delete. */
export interface DeletionTarget {
  table: string
  /** Columns of the primary key. */
  key: readonly string[]
  where: RawBuilder<SqlBool>
}

/**
 * Deletes rows in batches, in primary key order. After each batch it pauses for as long as the batch took, so that
 * requests get their turn. Rows inserted behind the current position stay.
 * @returns the number of deleted rows
 */
export async function deleteInBatches(db: Database, target: DeletionTarget): Promise<number> {
  let deleted = 0
  for await (const batch of listBatches(db, target)) {
    const startedAt = performance.now()
    const { numAffectedRows } = await sql`
      delete from ${sql.table(target.table)} where ${batch} and ${target.where}
    `.execute(db)
    deleted += Number(numAffectedRows ?? 0)
    await delay(performance.now() - startedAt)
  }
  return deleted
}

/** Counts the rows that `deleteInBatches` would delete. */
export async function countRows(db: Database, { table, where }: DeletionTarget): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)} where ${where}
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** Yields key ranges of one batch each, without those that contain no row to delete. */
async function* listBatches(
  db: Database,
  { table, key, where }: DeletionTarget,
): AsyncGenerator<RawBuilder<SqlBool>> {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  let after: unknown[] | undefined
  for (;;) {
    const from = after ? sql<SqlBool>`(${columns}) > (${sql.join(after)})` : sql<SqlBool>`true`
    const { rows } = await sql<Record<string, unknown>>`
      select ${columns} from ${sql.table(table)} where ${from}
      order by ${columns} limit 1 offset ${BATCH_ROWS - 1}
    `.execute(db)
    const last = rows[0] && key.map((column) => rows[0]?.[column])
    const batch = last ? sql<SqlBool>`${from} and (${columns}) <= (${sql.join(last)})` : from
    const { rows: found } = await sql`
      select 1 from ${sql.table(table)} where ${batch} and ${where} limit 1
    `.execute(db)
    if (found.length > 0) yield batch
    if (!last) return
    after = last
  }
}
