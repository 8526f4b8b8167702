import { isPostgres } from '../database/dialect.js'
import type { Database } from '../database/open-database.js'
import { returnAll } from './quota.js'

/**
 * Returns the leases of a process that died, so that retries need not wait for their deadlines. Only call it with the data
 * folder locked and before serving, when no call can be running. On PostgreSQL others may be serving, so only leases past
 * their deadlines are returned, by a sweep.
 */
export async function releaseAbandoned(db: Database): Promise<void> {
  if (isPostgres(db)) return
  await returnAll(db)
  await db.deleteFrom('idempotency_records').where('answer', 'is', null).execute()
}
