import type { Database } from '../database/open-database.js'
import { StorageError } from '../database/storage-failure.js'
import { Tally } from '../events/tally.js'
import type { Capability, Environment } from '../organizations/capability.js'
import { describeError, type Log } from '../telemetry/log.js'
import type { Metrics } from '../telemetry/metrics.js'
import { latencyBucket } from './latency-buckets.js'
import { storeUsage, sweepUsageHours, type UsageCount } from './store-usage.js'
import type { UsageOutcome } from './usage-outcome.js'

const HOUR_MS = 60 * 60 * 1_000
/** A killed process loses the counts of this interval, but no charges or events. */
const FLUSH_INTERVAL_MS = 5_000
/** They take about 2 MB of memory. */
const MAX_PENDING_COUNTS = 10_000

export interface UsageRecorderDeps {
  db: Database
  log: Log
  metrics: Pick<Metrics, 'usageLost'>
  clock: () => number
}

/** A finished request of an authenticated caller. */
export interface EndedRequest {
  organizationId: string
  environment: Environment
  capability: Capability
  outcome: UsageOutcome
  durationMs: number
}

export interface UsageRecorder {
  /** Counts a request in memory. It reaches the database within five seconds. */
  add(request: EndedRequest): void
  /** Writes the counts so far. If that fails, it logs the error and keeps them for the next flush. */
  flush(): Promise<void>
  /** Writes the remaining counts and stops. */
  close(): Promise<void>
}

/**
 * Counts requests in memory, by kind of request, hour and latency bucket, and writes the counts every five seconds, so that
 * requests never wait for it. Counts beyond the memory limit, while the database fails, are dropped and reported as a metric.
 */
export function createUsageRecorder({ db, log, metrics, clock }: UsageRecorderDeps): UsageRecorder {
  let pending = new Tally()
  let flushing = Promise.resolve()
  let sweptHour = 0

  async function write(): Promise<void> {
    const counts = pending
    pending = new Tally()
    try {
      await storeUsage(db, counts.rows() as unknown as UsageCount[])
      const hour = Math.floor(clock() / HOUR_MS)
      if (hour > sweptHour) await sweepUsageHours(db, clock())
      sweptHour = hour
    } catch (error) {
      // A database that cannot be used is reported elsewhere, once.
      if (!(error instanceof StorageError)) {
        log.error('usage counts could not be written; they stay in memory', describeError(error))
      }
      for (const row of counts.rows()) count(row.slice(0, -1), Number(row.at(-1)))
    }
  }

  function count(key: (string | number)[], requests: number): void {
    if (pending.size < MAX_PENDING_COUNTS) pending.add(key, [requests])
    else metrics.usageLost.inc(requests)
  }

  const flush = () => (flushing = flushing.then(write))
  const timer = setInterval(() => void flush(), FLUSH_INTERVAL_MS)
  timer.unref()
  return {
    add: ({ organizationId, environment, capability, outcome, durationMs }) => {
      const hour = Math.floor(clock() / HOUR_MS)
      const bucket = latencyBucket(durationMs)
      count([organizationId, environment, capability, outcome, hour, bucket], 1)
      if (pending.size === MAX_PENDING_COUNTS / 2) void flush()
    },
    flush,
    close: async () => {
      clearInterval(timer)
      await flush()
    },
  }
}
