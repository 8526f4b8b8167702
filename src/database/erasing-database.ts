import { setTimeout as delay } from 'node:timers/promises'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { openDatabase, type Database } from './open-database.js'

/** Deleting so many rows takes some milliseconds, which is how long a request may have to wait for it. */
const ROWS_A_SLICE = 1_000

/**
 * Opens the database to delete much of it while a server works on it: what is deleted is overwritten, and references are
 * not checked, for which SQLite would read a whole table a row. Whoever deletes takes what refers to a row first.
 */
export async function openErasingDatabase(dataDir: string): Promise<Database> {
  const db = await openDatabase(dataDir)
  await sql`pragma secure_delete = on`.execute(db)
  await sql`pragma foreign_keys = off`.execute(db)
  return db
}

/** Runs work on a database opened to delete much of it, and closes it. */
export async function withErasingDatabase<T>(
  dataDir: string,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const db = await openErasingDatabase(dataDir)
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

/** Rows of a table to delete. */
export interface Doomed {
  table: string
  /** Columns of the primary key. */
  key: readonly string[]
  where: RawBuilder<SqlBool>
}

/**
 * Deletes rows slice by slice in the order of the primary key, and rests as long as it worked after each, so that
 * requests come in between. Rows that are added behind it stay.
 * @returns how many there were
 */
export async function deleteInSlices(db: Database, doomed: Doomed): Promise<number> {
  let deleted = 0
  for await (const slice of slicesOf(db, doomed)) {
    const startedAt = performance.now()
    const { numAffectedRows } = await sql`
      delete from ${sql.table(doomed.table)} where ${slice} and ${doomed.where}
    `.execute(db)
    deleted += Number(numAffectedRows ?? 0)
    await delay(performance.now() - startedAt)
  }
  return deleted
}

/** How many rows there are. */
export async function countRows(db: Database, { table, where }: Doomed): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)} where ${where}
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** Conditions that each select one slice in which there is something to do. */
async function* slicesOf(
  db: Database,
  { table, key, where }: Doomed,
): AsyncGenerator<RawBuilder<SqlBool>> {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  let after: unknown[] | undefined
  for (;;) {
    const from = after ? sql<SqlBool>`(${columns}) > (${sql.join(after)})` : sql<SqlBool>`true`
    const { rows } = await sql<Record<string, unknown>>`
      select ${columns} from ${sql.table(table)} where ${from}
      order by ${columns} limit 1 offset ${ROWS_A_SLICE - 1}
    `.execute(db)
    const last = rows[0] && key.map((column) => rows[0]?.[column])
    const slice = last ? sql<SqlBool>`${from} and (${columns}) <= (${sql.join(last)})` : from
    const { rows: found } = await sql`
      select 1 from ${sql.table(table)} where ${slice} and ${where} limit 1
    `.execute(db)
    if (found.length > 0) yield slice
    if (!last) return
    after = last
  }
}

/**
 * Writes the database anew without what deleted rows left in it, and empties the log. Nobody else can write meanwhile:
 * about a second for each 100 MB.
 */
export async function compactDatabase(db: Database): Promise<void> {
  await sql`vacuum`.execute(db)
  await emptyLog(db)
}

/** Moves the log into the database file and cuts it to nothing, so that it holds no older copy of a page. */
export async function emptyLog(db: Database): Promise<void> {
  await sql`pragma wal_checkpoint(truncate)`.execute(db)
}
