import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import type { CheckpointSettings } from './checkpoint-thread.js'
import { databaseFile, type Database } from './open-database.js'

/**
 * Often, so that there is little to move each time. Also about the most that a power cut can take of the commits that
 * did not wait for the disk.
 */
const INTERVAL_MS = 100
/** SQLite's default: every thousand pages the commit that fills them moves them, and waits for the disk. */
const DEFAULT_AUTOCHECKPOINT_PAGES = 1_000

export interface CheckpointOptions {
  db: Database
  dataDir: string
  /** Told when the thread fails; commits do its work again from then on. */
  onFailure: (error: unknown) => void
  /** Default: 100. */
  intervalMs?: number
}

/**
 * Moves the write-ahead log into the database file in a thread of its own, ten times a second: left to SQLite a request
 * does it, and all others wait with it for the disk.
 * @returns ends the thread
 */
export async function startCheckpoints({
  db,
  dataDir,
  onFailure,
  intervalMs = INTERVAL_MS,
}: CheckpointOptions): Promise<() => Promise<void>> {
  const settings: CheckpointSettings = { file: databaseFile(dataDir), intervalMs }
  // The same path from src/database, under jest, and from dist/database.
  const entry = new URL('../../dist/database/checkpoint-thread.js', import.meta.url)
  const thread = new Worker(entry, { workerData: settings, execArgv: [], env: {} })
  // A start that fails later ends the process, whether or not somebody ends the thread.
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
