import fs from 'node:fs/promises'
import path from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { OperatorError } from '../core/operator-error.js'

/** Another server works on the data folder; `message` says what to do. */
export class DataFolderInUseError extends OperatorError {}

/**
 * Makes this process the one server of a data folder until the returned function is called or the process ends,
 * however it ends. Rate limits and running calls are kept in memory, so two servers would each know half.
 *
 * The lock is an open transaction on a file of its own: the operating system gives it back when a process dies,
 * which a file with a process id does not.
 * @throws DataFolderInUseError
 */
export async function lockDataFolder(dataDir: string): Promise<() => void> {
  await fs.mkdir(dataDir, { recursive: true, mode: 0o700 })
  const lock = new BetterSqlite3(path.join(dataDir, 'server.lock'), { timeout: 0 })
  try {
    lock.exec('begin exclusive')
  } catch (cause) {
    lock.close()
    throw new DataFolderInUseError(
      `Another server is running on ${dataDir}. End it, or give this one another DATA_DIR.`,
      { cause },
    )
  }
  return () => void lock.close()
}
