import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { DatabasePlace } from '../database/open-database.js'
import type { SecretPlace } from '../organizations/check-server-secret.js'
import { describeError, type Log } from '../telemetry/log.js'
import { keepsEverything, type Retention } from '../config/retention-cutoffs.js'
import type { PurgeReport, PurgeSettings } from './purge-thread.js'

const INTERVAL_MS = 24 * 60 * 60 * 1_000
/** Leaves the first minutes after a start to loading models. */
const FIRST_AFTER_MS = 10 * 60 * 1_000

export interface PurgingOptions extends DatabasePlace, SecretPlace {
  retention: Retention
  log: Log
  clock: () => number
  /** Default: ten minutes. */
  firstAfterMs?: number
}

/**
 * Deletes records past their retention period once a day, in a separate thread, until the returned function is called.
 * Does nothing if no retention period is configured.
 */
export function startPurging({
  dataDir,
  postgres,
  serverSecretFile,
  retention,
  log,
  clock,
  firstAfterMs = FIRST_AFTER_MS,
}: PurgingOptions): () => Promise<void> {
  if (keepsEverything(retention)) return async () => {}
  const place = { dataDir, postgres, serverSecretFile }
  let thread: Worker | undefined
  const purge = async () => {
    const settings: PurgeSettings = { place, retention, now: clock() }
    // Resolves to the compiled file both from dist and from src, where it runs under jest.
    const entry = new URL('../../dist/retention/purge-thread.js', import.meta.url)
    thread = new Worker(entry, { workerData: settings, execArgv: [], env: {} })
    const [report] = (await once(thread, 'message')) as [PurgeReport]
    if (!report) return
    if ('refusal' in report) {
      log.error('old records were not deleted', { reason: report.refusal })
      return
    }
    const count = report.purged.reduce((sum, { rows }) => sum + rows, 0)
    log.info('records past their retention period were deleted', { count })
  }
  const run = () => {
    purge().catch((error: unknown) =>
      log.error('old records could not be deleted', describeError(error)),
    )
    timer = setTimeout(run, INTERVAL_MS).unref()
  }
  let timer = setTimeout(run, firstAfterMs).unref()
  return async () => {
    clearTimeout(timer)
    await thread?.terminate()
  }
}
