import type { Database } from '../database/open-database.js'

/**
 * Gives back what calls of a process that died had reserved, so that retries need not wait for deadlines. Only for a
 * server that has locked the data folder: then no call can be running.
 */
export async function releaseAbandoned(db: Database): Promise<void> {
  await db.deleteFrom('quota_reservations').execute()
  await db.deleteFrom('idempotency_records').where('answer', 'is', null).execute()
}
