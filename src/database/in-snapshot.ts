import { sql } from 'kysely'
import { isPostgres } from './dialect.js'
import type { Database } from './open-database.js'

/**
 * Runs queries that all see the database as it is at the first of them, whatever others change meanwhile. They hold up nobody:
 * on SQLite a Kysely transaction would take the write lock.
 * @param connection - one connection, see `db.connection()`
 */
export async function inSnapshot<T>(
  connection: Database,
  read: (snapshot: Database) => Promise<T>,
): Promise<T> {
  if (isPostgres(connection)) {
    return connection.transaction().setIsolationLevel('repeatable read').execute(read)
  }
  await sql`begin`.execute(connection)
  try {
    return await read(connection)
  } finally {
    await sql`commit`.execute(connection)
  }
}
