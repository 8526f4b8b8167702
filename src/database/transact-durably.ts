import { sql, type Transaction } from 'kysely'
import { isPostgres } from './dialect.js'
import type { Database } from './open-database.js'
import type { Tables } from './schema.js'

/**
 * Runs `work` in a transaction that is on the disk when this resolves, so that it survives a power cut. Unlike an
 * ordinary transaction it waits for the disk.
 */
export async function transactDurably<T>(
  db: Database,
  work: (transaction: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return isPostgres(db) ? onPostgres(db, work) : onSqlite(db, work)
}

/** PostgreSQL syncs commits unless its operator has turned that off; what waits for a standby too stays as it is. */
async function onPostgres<T>(
  db: Database,
  work: (transaction: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (transaction) => {
    await sql`
      select set_config('synchronous_commit', 'on', true)
      where current_setting('synchronous_commit') = 'off'
    `.execute(transaction)
    return work(transaction)
  })
}

/**
 * `synchronous = full` syncs the write-ahead log at commit.
 * Source: https://www.sqlite.org/pragma.html#pragma_synchronous
 */
async function onSqlite<T>(
  db: Database,
  work: (transaction: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return db.connection().execute(async (connection) => {
    await sql`pragma synchronous = full`.execute(connection)
    try {
      return await connection.transaction().execute(work)
    } finally {
      await sql`pragma synchronous = normal`.execute(connection)
    }
  })
}
