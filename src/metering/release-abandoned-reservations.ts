import { isPostgres } from '../database/dialect.js'
import type { Database } from '../database/open-database.js'

/**
 * Releases the reservations of a process that died, so that retries need not wait for their deadlines. Only call it with
 * the data folder locked and before serving, when no call can be running. On PostgreSQL others may be serving, so
 * reservations wait for their deadlines.
 */
export async function releaseAbandoned(db: Database): Promise<void> {
  if (isPostgres(db)) return
  await db.deleteFrom('quota_reservations').execute()
  await db.deleteFrom('idempotency_records').where('answer', 'is', null).execute()
}
