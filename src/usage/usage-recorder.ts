import type { Database } from '../database/open-database.js'
import { Tally } from '../events/tally.js'
import type { Capability, Environment } from '../organizations/capability.js'
import { describeError, type Log } from '../telemetry/log.js'
import type { Metrics } from '../telemetry/metrics.js'
import { latencyBucket } from './latency-buckets.js'
import { storeUsage, sweepUsageHours, type UsageCount } from './store-usage.js'
import type { UsageOutcome } from './usage-outcome.js'

const HOUR_MS = 60 * 60 * 1_000
/** Also what a process that is killed forgets of the counts; charges and events are not among them. */
const FLUSH_INTERVAL_MS = 5_000
/** About 2 MB of memory. */
const MAX_PENDING_COUNTS = 10_000

export interface UsageRecorderDeps {
  db: Database
  log: Log
  metrics: Pick<Metrics, 'usageLost'>
  clock: () => number
}

/** A request of a known caller that has ended. */
export interface EndedRequest {
  organizationId: string
  environment: Environment
  capability: Capability
  outcome: UsageOutcome
  durationMs: number
}

export interface UsageRecorder {
  /** Counts a request in memory; it is in the database at most five seconds later. */
  add(request: EndedRequest): void
  /** Writes what is counted so far; a failure is logged and the counts stay for the next time. */
  flush(): Promise<void>
  /** Writes the rest and ends. */
  close(): Promise<void>
}

/**
 * Counts requests off their path: in memory, as a number for each kind of request, hour and latency bucket, written
 * together every five seconds. What does not fit into memory while the database refuses is lost and counted as such.
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
      log.error('requests could not be counted; they are kept in memory', describeError(error))
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
