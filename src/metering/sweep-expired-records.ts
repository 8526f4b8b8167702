import type { Database } from '../database/open-database.js'
import { StorageError } from '../database/storage-failure.js'
import { describeError, type Log } from '../telemetry/log.js'
import { returnLapsed } from './quota.js'
import type { RateLimiter } from './rate-limit.js'

const SWEEP_INTERVAL_MS = 60_000
const BATCH_ROWS = 500

interface SweepDeps {
  db: Database
  rateLimiter: RateLimiter
  log: Log
  clock: () => number
  /** Sweeps of other tables, run at the same time. */
  others?: readonly ((db: Database, now: number) => Promise<void>)[]
}

/** Sweeps every minute until the returned function is called. */
export function startSweeping({ db, rateLimiter, log, clock, others = [] }: SweepDeps): () => void {
  const timer = setInterval(() => {
    rateLimiter.sweep(clock())
    for (const sweep of [sweepExpired, ...others]) {
      sweep(db, clock()).catch((error: unknown) => {
        // A database that cannot be used is reported elsewhere, once.
        if (error instanceof StorageError) return
        log.error('expired records could not be deleted', describeError(error))
      })
    }
  }, SWEEP_INTERVAL_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/** Returns lapsed leases, and deletes expired idempotency records, which no longer have any effect. */
export async function sweepExpired(db: Database, now: number): Promise<void> {
  await returnLapsed(db, now)
  for (;;) {
    // In small batches, because all requests wait while a batch is deleted.
    const { numDeletedRows } = await db
      .deleteFrom('idempotency_records')
      .where('key_hash', 'in', (select) =>
        select
          .selectFrom('idempotency_records')
          .select('key_hash')
          .where('expires_at', '<=', now)
          .limit(BATCH_ROWS),
      )
      .executeTakeFirstOrThrow()
    if (numDeletedRows < BATCH_ROWS) return
  }
}
