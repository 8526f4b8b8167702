import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import type { CheckpointSettings } from './checkpoint-thread.js'
import { databaseFile, type Database } from './open-database.js'

/**
 * Short, so that each checkpoint is small. It is also roughly how much of the commits that do not wait for the disk a
 * power cut can lose.
 */
const INTERVAL_MS = 100
/** SQLite's default: the commit that fills the thousandth page runs a checkpoint and waits for the disk. */
const DEFAULT_AUTOCHECKPOINT_PAGES = 1_000

export interface CheckpointOptions {
  db: Database
  dataDir: string
  /** Called when the thread fails; from then on commits run checkpoints again. */
  onFailure: (error: unknown) => void
  /** Default: 100. */
  intervalMs?: number
}

/**
 * Checkpoints the write-ahead log ten times a second in a separate thread. SQLite would do it within a request, and all
 * other requests would wait for the disk too.
 * @returns a function that ends the thread
 */
export async function startCheckpoints({
  db,
  dataDir,
  onFailure,
  intervalMs = INTERVAL_MS,
}: CheckpointOptions): Promise<() => Promise<void>> {
  const settings: CheckpointSettings = { file: databaseFile(dataDir), intervalMs }
  // Resolves to the compiled file both from dist and from src, where it runs under jest.
  const entry = new URL('../../dist/database/checkpoint-thread.js', import.meta.url)
  const thread = new Worker(entry, { workerData: settings, execArgv: [], env: {} })
  // If a later step of the start fails, the thread must not keep the process alive.
  thread.unref()
  const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()))
  const setAutocheckpoint = (pages: number) =>
    sql`pragma wal_autocheckpoint = ${sql.lit(pages)}`.execute(db)
  await setAutocheckpoint(0)
  thread.once('error', (error) => {
    setAutocheckpoint(DEFAULT_AUTOCHECKPOINT_PAGES).then(() => onFailure(error), onFailure)
  })
  return async () => {
    thread.ref()
    thread.postMessage('end')
    await ended
  }
}
