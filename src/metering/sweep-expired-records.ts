import type { Database } from '../database/open-database.js'
import { runAlone } from '../database/run-alone.js'
import { StorageError } from '../database/storage-failure.js'
import { describeError, type Log } from '../telemetry/log.js'
import { returnLapsed } from './quota.js'
import type { RateLimiter } from './rate-limit.js'

const SWEEP_INTERVAL_MS = 60_000
const BATCH_ROWS = 500

type Sweep = (db: Database, now: number) => Promise<unknown>

interface SweepDeps {
  db: Database
  rateLimiter: RateLimiter
  log: Log
  clock: () => number
  /** Sweeps of other tables; one server of a database at a time runs them. */
  others?: readonly Sweep[]
  /** What each server does for itself as often. */
  own?: readonly Sweep[]
}

/** Sweeps every minute until the returned function is called. */
export function startSweeping({
  db,
  rateLimiter,
  log,
  clock,
  others = [],
  own = [],
}: SweepDeps): () => void {
  const sweeps: Sweep[] = [
    sweepExpired,
    (_db, now) => rateLimiter.sweep(now),
    ...others.map((sweep) => inTurn(sweep)),
    ...own,
  ]
  const run = async (sweep: Sweep) => {
    try {
      await sweep(db, clock())
    } catch (error) {
      // A database that cannot be used is reported elsewhere, once.
      if (error instanceof StorageError) return
      log.error('expired records could not be deleted', describeError(error))
    }
  }
  let last = Promise.resolve()
  const timer = setInterval(() => {
    // One after the other, because they take the same lock.
    for (const sweep of sweeps) last = last.then(() => run(sweep))
  }, SWEEP_INTERVAL_MS)
  timer.unref()
  return () => clearInterval(timer)
}

function inTurn(sweep: Sweep): Sweep {
  return (db, now) => runAlone(db, 'sweep', (locked) => sweep(locked, now))
}

/** Returns lapsed leases, and deletes expired idempotency records, which no longer have any effect. */
export async function sweepExpired(db: Database, now: number): Promise<void> {
  await inTurn(returnLapsed)(db, now)
  let deleted: bigint | undefined
  do {
    // In small batches, because all requests wait while a batch is deleted.
    deleted = await runAlone(db, 'sweep', (locked) => deleteRecords(locked, now))
  } while (deleted === BigInt(BATCH_ROWS))
}

async function deleteRecords(db: Database, now: number): Promise<bigint> {
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
  return numDeletedRows
}
