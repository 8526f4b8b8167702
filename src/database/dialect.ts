import { PostgresAdapter, type Kysely, type Transaction } from 'kysely'

/** Whether queries of this database or transaction go to PostgreSQL; otherwise they go to SQLite. */
export function isPostgres<Tables>(db: Kysely<Tables> | Transaction<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}
