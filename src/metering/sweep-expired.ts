import type { Database } from '../database/open-database.js'
import { describeError, type Log } from '../telemetry/log.js'
import type { RateLimiter } from './rate-limit.js'

const SWEEP_INTERVAL_MS = 60_000
const BATCH = 500

interface SweepDeps {
  db: Database
  rateLimiter: RateLimiter
  log: Log
  clock: () => number
  /** Sweeps of other folders. */
  others?: readonly ((db: Database, now: number) => Promise<void>)[]
}

/** Sweeps every minute until the returned function is called. */
export function startSweeping({ db, rateLimiter, log, clock, others = [] }: SweepDeps): () => void {
  const timer = setInterval(() => {
    rateLimiter.sweep(clock())
    for (const sweep of [sweepExpired, ...others]) {
      sweep(db, clock()).catch((error: unknown) => {
        log.error('expired records could not be swept', describeError(error))
      })
    }
  }, SWEEP_INTERVAL_MS)
  timer.unref()
  return () => clearInterval(timer)
}

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
