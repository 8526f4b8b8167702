import type { Database } from './open-database.js'
import { isPostgres } from './dialect.js'
import { tryLockFor, type LockedThing } from './lock-for.js'

/**
 * Runs periodic work that all servers of a database do, unless another one is doing it now. On PostgreSQL that holds through a
 * pooler in transaction mode too; SQLite has one server.
 * @param work - receives the transaction that holds the lock, or on SQLite the database
 * @returns undefined when another server is at it
 */
export async function runAlone<T>(
  db: Database,
  thing: LockedThing,
  work: (db: Database) => Promise<T>,
): Promise<T | undefined> {
  if (!isPostgres(db)) return work(db)
  return db
    .transaction()
    .execute(async (transaction) =>
      (await tryLockFor(transaction, thing)) ? work(transaction) : undefined,
    )
}
