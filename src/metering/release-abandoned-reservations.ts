import type { Database } from '../database/open-database.js'

/**
 * Releases the reservations of a process that died, so that retries need not wait for their deadlines. Only call it with
 * the data folder locked and before serving, when no call can be running.
 */
export async function releaseAbandoned(db: Database): Promise<void> {
  await db.deleteFrom('quota_reservations').execute()
  await db.deleteFrom('idempotency_records').where('answer', 'is', null).execute()
}
