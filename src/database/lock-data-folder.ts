import fs from 'node:fs/promises'
import path from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { OperatorError } from '../core/operator-error.js'
import { withStorageExplained } from './explain-storage-failure.js'
import { errorCode } from '../core/error-code.js'

/** Another server uses the data folder; `message` says what to do. */
export class DataFolderInUseError extends OperatorError {}

/**
 * Makes this process the only server of a data folder until the returned function is called or the process ends.
 * Rate limits and running calls are kept in memory, so two servers would each see only half of them.
 *
 * The lock is an open transaction on a separate file: unlike a pid file, the operating system releases it when the
 * process dies.
 * @throws DataFolderInUseError, StorageFailureError
 */
export function lockDataFolder(dataDir: string): Promise<() => void> {
  return withStorageExplained({ dataDir }, async () => {
    await fs.mkdir(dataDir, { recursive: true, mode: 0o700 })
    const lock = new BetterSqlite3(path.join(dataDir, 'server.lock'), { timeout: 0 })
    try {
      lock.exec('begin exclusive')
    } catch (error) {
      lock.close()
      throw errorCode(error)?.startsWith('SQLITE_BUSY') ? inUse(dataDir, error) : error
    }
    return () => void lock.close()
  })
}

function inUse(dataDir: string, cause: unknown): DataFolderInUseError {
  return new DataFolderInUseError(
    `Another server is running on ${dataDir}. Stop it, or set another DATA_DIR for this one.`,
    { cause },
  )
}
