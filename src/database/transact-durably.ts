import { sql, type Transaction } from 'kysely'
import type { Database } from './open-database.js'
import type { Tables } from './schema.js'

/**
 * Runs `work` in a transaction that is on the disk when this resolves, so that it survives a power cut. Unlike an
 * ordinary transaction it waits for the disk: `synchronous = full` syncs the write-ahead log at commit.
 * Source: https://www.sqlite.org/pragma.html#pragma_synchronous
 */
export async function transactDurably<T>(
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
