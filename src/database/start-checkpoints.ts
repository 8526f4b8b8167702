import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import type { CheckpointReport, CheckpointSettings } from './checkpoint-thread.js'
import { databaseFile, type Database } from './open-database.js'

/**
 * Short, so that each checkpoint is small. It is also roughly how much of the commits that do not wait for the disk a
 * power cut can lose.
 */
const INTERVAL_MS = 100
/** SQLite's default: the commit that fills the thousandth page runs a checkpoint and waits for the disk. */
const DEFAULT_AUTOCHECKPOINT_PAGES = 1_000
/** The compiled file both from dist and from src, where it runs under jest. */
const ENTRY = new URL('../../dist/database/checkpoint-thread.js', import.meta.url)
const FIRST_RESTART_MS = 1_000
const MAX_RESTART_MS = 60_000

export interface CheckpointOptions {
  db: Database
  dataDir: string
  /** Called when checkpoints begin to fail; the thread keeps trying. */
  onFailure: (code: string) => void
  /** Called when checkpoints work again after a failure. */
  onRecovery: () => void
  /** Called when the thread itself ends, before it is started again; until then commits run checkpoints. */
  onEnd: (error: unknown) => void
  /** Default: 100. */
  intervalMs?: number
  /** Default: the compiled thread. */
  entry?: URL
}

/**
 * Checkpoints the write-ahead log ten times a second in a separate thread. SQLite would do it within a request, and all
 * other requests would wait for the disk too.
 * @returns a function that ends the thread
 */
export async function startCheckpoints(options: CheckpointOptions): Promise<() => Promise<void>> {
  const { db, dataDir, onEnd, intervalMs = INTERVAL_MS, entry = ENTRY } = options
  const settings: CheckpointSettings = { file: databaseFile(dataDir), intervalMs }
  const setAutocheckpoint = (pages: number) =>
    sql`pragma wal_autocheckpoint = ${sql.lit(pages)}`.execute(db)
  let isClosing = false
  let restartMs = FIRST_RESTART_MS
  let restart: NodeJS.Timeout | undefined

  function startThread(): Worker {
    const started = new Worker(entry, { workerData: settings, execArgv: [], env: {} })
    // If a later step of the start fails, the thread must not keep the process alive.
    started.unref()
    started.on('message', (report: CheckpointReport) => {
      if (report.state === 'failing') options.onFailure(report.code)
      else options.onRecovery()
    })
    let failure: unknown
    started.once('error', (error) => (failure = error))
    started.once('exit', () => {
      if (isClosing) return
      setAutocheckpoint(DEFAULT_AUTOCHECKPOINT_PAGES).catch(onEnd)
      onEnd(failure)
      restart = setTimeout(() => {
        thread = startThread()
        setAutocheckpoint(0).catch(onEnd)
      }, restartMs).unref()
      restartMs = Math.min(restartMs * 2, MAX_RESTART_MS)
    })
    return started
  }

  await setAutocheckpoint(0)
  let thread = startThread()
  return async () => {
    isClosing = true
    clearTimeout(restart)
    if (thread.threadId === -1) return
    const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()))
    thread.ref()
    thread.postMessage('end')
    await ended
  }
}
