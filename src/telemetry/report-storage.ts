import type { StorageListener } from '../database/storage-monitor.js'
import type { CheckpointOptions } from '../database/start-checkpoints.js'
import type { ReplicaOptions } from '../database/postgres/replica.js'
import type { Pool } from '../database/postgres/watched-pool.js'
import { StorageError } from '../database/storage-failure.js'
import { describeError, type Log } from './log.js'
import type { Metrics } from './metrics.js'

export interface StorageReportDeps {
  log: Log
  metrics: Pick<Metrics, 'storageErrors' | 'setStorageState'>
}

/** Logs each change of the storage's state once, and counts errors in the metrics. */
export function reportStorage({ log, metrics }: StorageReportDeps): StorageListener {
  metrics.setStorageState('ok')
  return {
    onChange: ({ state, code }) => {
      metrics.setStorageState(state)
      if (state === 'ok') log.info('the database can be used again', { state })
      else {
        log.error(
          'the database cannot be used; calls get storage_unavailable. Run: npm run admin -- doctor',
          { state, reason: code },
        )
      }
    },
    onError: (code) => metrics.storageErrors.inc({ code }),
  }
}

/** Logs once when checkpoints begin to fail and when they work again. */
export function reportCheckpoints({
  log,
  metrics,
}: StorageReportDeps): Pick<CheckpointOptions, 'onFailure' | 'onRecovery' | 'onEnd'> {
  return {
    onFailure: (code) => {
      metrics.storageErrors.inc({ code })
      log.error('the write-ahead log cannot be written into the database; it grows meanwhile', {
        reason: code,
      })
    },
    onRecovery: () => log.info('the write-ahead log is written into the database again'),
    onEnd: (error) =>
      log.error('the checkpoint thread ended and is started again', describeError(error)),
  }
}

/** Logs that the partitions of the next month could not be created. */
export function reportPartitions(log: Log): (error: unknown) => void {
  return (error) => {
    // A database that cannot be used is reported elsewhere, once.
    if (error instanceof StorageError) return
    log.error(
      'the partitions of events for the next month could not be created; storing the first event of it tries again',
      describeError(error),
    )
  }
}

/** Logs once when the other replicas presume this one dead, and when they no longer do. */
export function reportReplica(log: Log): Pick<ReplicaOptions, 'onLost' | 'onRecovery'> {
  return {
    onLost: (error) =>
      log.warn(
        'this replica could not write to the database for 15 s that it lives; others take over its calls with an idempotency key',
        describeError(error),
      ),
    onRecovery: () => log.info('this replica writes to the database again that it lives'),
  }
}

/** Shows the connections to PostgreSQL in the metrics, and how long queries wait for one. */
export function reportPool({
  beforeRead,
  databaseConnections,
  databaseConnectionLimit,
  databaseWaitSeconds,
}: Metrics): (pool: Pick<Pool, 'load' | 'size' | 'onConnect'>) => void {
  return (pool) => {
    databaseConnectionLimit.set(pool.size)
    pool.onConnect = (outcome, waitedMs) =>
      databaseWaitSeconds.observe({ outcome }, waitedMs / 1_000)
    beforeRead(() => {
      for (const [state, count] of Object.entries(pool.load))
        databaseConnections.set({ state }, count)
    })
  }
}
