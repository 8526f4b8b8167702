import type { Database } from '../database/open-database.js'

const BATCH = 500

/** Deletes reservations and idempotency records whose time is over. They count for nothing before that already. */
export async function sweepExpired(db: Database, now: number): Promise<void> {
  await db.deleteFrom('quota_reservations').where('deadline', '<=', now).execute()
  for (;;) {
    // In small batches, since every request waits while one is deleted.
    const { numDeletedRows } = await db
      .deleteFrom('idempotency_records')
      .where('key_hash', 'in', (select) =>
        select
          .selectFrom('idempotency_records')
          .select('key_hash')
          .where('expires_at', '<=', now)
          .limit(BATCH),
      )
      .executeTakeFirstOrThrow()
    if (numDeletedRows < BATCH) return
  }
}
