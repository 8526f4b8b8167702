import { parentPort, workerData } from 'node:worker_threads'
import BetterSqlite3 from 'better-sqlite3'

/** `workerData` of the thread. */
export interface CheckpointSettings {
  file: string
  intervalMs: number
}

/** 64 MiB of pages: a smaller log is not worth blocking writers for. */
const MAX_LOG_PAGES = 16_384
/** Pages that writers may have added since the checkpoint: if more are left, a reader is holding them. */
const MAX_PAGES_LEFT = 2_000

/**
 * Entry point of the thread that checkpoints the write-ahead log into the database file, which also syncs commits to the
 * disk. Any message ends it.
 */
const { file, intervalMs } = workerData as CheckpointSettings
// A restart checkpoint blocks writers while it waits for readers, so it must not wait.
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
  // Writers restart the log once all of it is checkpointed, which never happens under constant load unless they are
  // blocked for a moment. Blocking is useless while a reader holds older pages.
  const isHeldByReader = state.log - state.checkpointed > MAX_PAGES_LEFT
  if (!isHeldByReader) sqlite.pragma('wal_checkpoint(restart)')
}
