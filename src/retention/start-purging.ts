import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { describeError, type Log } from '../telemetry/log.js'
import type { Retention } from '../config/oldest-kept.js'
import type { PurgedRecords } from './purge-old-records.js'
import type { PurgeSettings } from './purge-thread.js'

const INTERVAL_MS = 24 * 60 * 60 * 1_000
/** A service that was just started has other things to do. */
const FIRST_AFTER_MS = 10 * 60 * 1_000

export interface PurgingOptions {
  dataDir: string
  retention: Retention
  log: Log
  clock: () => number
  /** Default: ten minutes. */
  firstAfterMs?: number
}

/**
 * Deletes what is older than the configuration keeps it, once a day in a thread of its own, until the returned function
 * is called. Does nothing when everything is kept.
 */
export function startPurging({
  dataDir,
  retention,
  log,
  clock,
  firstAfterMs = FIRST_AFTER_MS,
}: PurgingOptions): () => Promise<void> {
  if (Object.values(retention).every((days) => days === undefined)) return async () => {}
  let thread: Worker | undefined
  const purge = async () => {
    const settings: PurgeSettings = { dataDir, retention, now: clock() }
    // The same path from src/retention, under jest, and from dist/retention.
    const entry = new URL('../../dist/retention/purge-thread.js', import.meta.url)
    thread = new Worker(entry, { workerData: settings, execArgv: [], env: {} })
    const [purged] = (await once(thread, 'message')) as [PurgedRecords[]]
    const count = purged.reduce((sum, { rows }) => sum + rows, 0)
    log.info('records older than the configuration keeps were deleted', { count })
  }
  const run = () => {
    purge().catch((error: unknown) => log.error('old records stay', describeError(error)))
    timer = setTimeout(run, INTERVAL_MS).unref()
  }
  let timer = setTimeout(run, firstAfterMs).unref()
  return async () => {
    clearTimeout(timer)
    await thread?.terminate()
  }
}
