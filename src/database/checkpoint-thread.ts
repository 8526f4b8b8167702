import { parentPort, workerData } from 'node:worker_threads'
import BetterSqlite3 from 'better-sqlite3'

/** What the thread is started with. */
export interface CheckpointSettings {
  file: string
  intervalMs: number
}

/** 64 MiB of pages: only a log that has grown so far is worth making writers wait for. */
const MAX_LOG_PAGES = 16_384
/** Pages that writers may have added since: with more, it is a reader that keeps them from being moved. */
const MAX_PAGES_LEFT = 2_000

/**
 * Entry of the thread that moves what was committed from the log into the database file, and by that syncs it to
 * the disk. It ends when it is told anything.
 */
const { file, intervalMs } = workerData as CheckpointSettings
// A restart holds the writers up while it waits for readers, so it may not wait.
const sqlite = new BetterSqlite3(file, { fileMustExist: true, timeout: 0 })
sqlite.pragma('synchronous = normal')
sqlite.pragma('checkpoint_fullfsync = on')
const timer = setInterval(checkpoint, intervalMs)
parentPort?.once('message', () => {
  clearInterval(timer)
  sqlite.close()
})

function checkpoint(): void {
  const [state] = sqlite.pragma('wal_checkpoint(passive)') as {
    log: number
    checkpointed: number
  }[]
  if (!state || state.log <= MAX_LOG_PAGES) return
  // Writers begin the log anew whenever all of it was moved. Under a load without a pause they never get there, unless
  // this stops them for a moment; in vain while somebody reads what is older.
  const isHeldByReader = state.log - state.checkpointed > MAX_PAGES_LEFT
  if (!isHeldByReader) sqlite.pragma('wal_checkpoint(restart)')
}
