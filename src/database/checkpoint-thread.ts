import { parentPort, workerData } from 'node:worker_threads'
import BetterSqlite3 from 'better-sqlite3'
import { errorCode } from '../core/error-code.js'

/** `workerData` of the thread. */
export interface CheckpointSettings {
  file: string
  intervalMs: number
}

/** Sent when checkpoints begin to fail, and when they work again. */
export type CheckpointReport = { state: 'ok' } | { state: 'failing'; code: string }

/** 64 MiB of pages: a smaller log is not worth blocking writers for. */
const MAX_LOG_PAGES = 16_384
/** Pages that writers may have added since the checkpoint: if more are left, a reader is holding them. */
const MAX_PAGES_LEFT = 2_000
/** After a failure the pause doubles up to this. */
const MAX_PAUSE_MS = 5_000

/**
 * Entry point of the thread that checkpoints the write-ahead log into the database file, which also syncs commits to the
 * disk. While that fails, for example because the disk is full, it tries again and again. Any message ends it.
 */
const { file, intervalMs } = workerData as CheckpointSettings
let sqlite: BetterSqlite3.Database | undefined
let pauseMs = intervalMs
let failingCode: string | undefined
let timer = setTimeout(run, pauseMs)
parentPort?.once('message', () => {
  clearTimeout(timer)
  sqlite?.close()
})

function run(): void {
  try {
    sqlite ??= open()
    checkpoint(sqlite)
    report(undefined)
    pauseMs = intervalMs
  } catch (error) {
    report(errorCode(error) ?? 'UNKNOWN')
    pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)
  }
  timer = setTimeout(run, pauseMs)
}

function open(): BetterSqlite3.Database {
  // A restart checkpoint blocks writers while it waits for readers, so it must not wait.
  const opened = new BetterSqlite3(file, { fileMustExist: true, timeout: 0 })
  opened.pragma('synchronous = normal')
  opened.pragma('checkpoint_fullfsync = on')
  return opened
}

function checkpoint(database: BetterSqlite3.Database): void {
  const [state] = database.pragma('wal_checkpoint(passive)') as {
    log: number
    checkpointed: number
  }[]
  if (!state || state.log <= MAX_LOG_PAGES) return
  // Writers restart the log once all of it is checkpointed, which never happens under constant load unless they are
  // blocked for a moment. Blocking is useless while a reader holds older pages.
  const isHeldByReader = state.log - state.checkpointed > MAX_PAGES_LEFT
  if (!isHeldByReader) database.pragma('wal_checkpoint(restart)')
}

function report(code: string | undefined): void {
  // Another connection that writes or checkpoints at the moment is no failure.
  if (code === failingCode || code?.startsWith('SQLITE_BUSY')) return
  failingCode = code
  const message: CheckpointReport =
    code === undefined ? { state: 'ok' } : { state: 'failing', code }
  parentPort?.postMessage(message)
}
