import type { Database } from '../database/open-database.js'
import { StorageError } from '../database/storage-failure.js'
import { describeError, type Log } from '../telemetry/log.js'
import { recordClock } from './trusted-clock.js'

const INTERVAL_MS = 60 * 60 * 1_000

export interface ClockWatchOptions {
  db: Database
  log: Log
  clock: () => number
  /** Default: an hour. */
  intervalMs?: number
}

/**
 * Records now and every hour that the clock was plausible, until the returned function is called. What deletes records by
 * their age relies on it.
 */
export function watchClock({
  db,
  log,
  clock,
  intervalMs = INTERVAL_MS,
}: ClockWatchOptions): () => Promise<void> {
  const record = () =>
    recordClock(db, clock()).catch((error: unknown) => {
      // A database that cannot be used is reported elsewhere, once.
      if (!(error instanceof StorageError)) log.warn('the clock may be wrong', describeError(error))
    })
  let recording = record()
  const timer = setInterval(() => {
    recording = recording.then(record)
  }, intervalMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await recording
  }
}
