import { setTimeout as delay } from 'node:timers/promises'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { isPostgres } from './dialect.js'
import { errorCode } from '../core/error-code.js'
import type { Database } from './open-database.js'
import { countBlocks } from './postgres/block-ranges.js'

/** Deleting a batch takes a few milliseconds, which is the longest a request may wait for it. */
const BATCH_ROWS = 1_000
/** Source: https://www.postgresql.org/docs/15/errcodes-appendix.html */
const FOREIGN_KEY_VIOLATION = '23503'
/** Of 8 kB on PostgreSQL. */
const BATCH_BLOCKS = 32

/** Rows of a table to delete. */
export interface DeletionTarget {
  table: string
  /** Columns of the primary key. */
  key: readonly string[]
  where: RawBuilder<SqlBool>
}

/**
 * Deletes rows in batches: on SQLite in primary key order, on PostgreSQL in the order in which the table is stored. After each
 * batch it pauses for as long as the batch took, so that requests get their turn. Rows inserted behind the current position
 * stay.
 * @returns the number of deleted rows
 */
export async function deleteInBatches(db: Database, target: DeletionTarget): Promise<number> {
  let deleted = 0
  const batches = isPostgres(db) ? listBlockRanges(db, target) : listBatches(db, target)
  for await (const batch of batches) {
    const startedAt = performance.now()
    deleted += await deleteBatch(db, target, batch)
    await delay(performance.now() - startedAt)
  }
  return deleted
}

async function deleteBatch(
  db: Database,
  { table, where }: DeletionTarget,
  batch: RawBuilder<SqlBool>,
): Promise<number> {
  try {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ${batch} and ${where}
    `.execute(db)
    return Number(numAffectedRows ?? 0)
  } catch (error) {
    // Another process has just referred to a row of the batch. It stays until the next time.
    if (isPostgres(db) && errorCode(error) === FOREIGN_KEY_VIOLATION) return 0
    throw error
  }
}

/** Counts the rows that `deleteInBatches` would delete. */
export async function countRows(
  db: Database,
  { table, where }: Pick<DeletionTarget, 'table' | 'where'>,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)} where ${where}
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** Yields ranges of blocks of some thousand rows each. A batch then costs the same wherever it is, and needs no index. */
async function* listBlockRanges(
  db: Database,
  { table }: DeletionTarget,
): AsyncGenerator<RawBuilder<SqlBool>> {
  const blocks = await countBlocks(db, table)
  for (let block = 0; block < blocks; block += BATCH_BLOCKS) {
    const [first, end] = [`(${block},0)`, `(${block + BATCH_BLOCKS},0)`]
    yield sql<SqlBool>`ctid >= ${first}::tid and ctid < ${end}::tid`
  }
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
