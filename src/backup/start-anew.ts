import { existsSync } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import { OperatorError } from '../core/operator-error.js'
import { findInstallationFiles, hasDatabase } from '../database/installation.js'
import { lockDataFolder } from '../database/lock-data-folder.js'
import { databaseFile } from '../database/open-database.js'
import { replacedFolder } from './replaced-folder.js'

/**
 * Gives up an installation that lost its database: moves its other files to a folder beside them, so that the next start
 * creates a new one. Plans stay.
 * @returns the folder with the moved files
 * @throws OperatorError if there is a database, or nothing to move; DataFolderInUseError while a server runs
 */
export async function startAnew(dataDir: string, now: number): Promise<string> {
  const unlock = await lockDataFolder(dataDir)
  try {
    const database = databaseFile(dataDir)
    if (hasDatabase(database)) {
      throw new OperatorError(
        `There is a database in ${dataDir}. To start anew, move it away first; nothing was changed.`,
      )
    }
    const names = findInstallationFiles(dataDir)
    if (names.length === 0) {
      throw new OperatorError(`${dataDir} holds no installation: the next start creates one.`)
    }
    const remnants = ['', '-wal', '-shm'].map((suffix) => path.basename(database) + suffix)
    const folder = replacedFolder(dataDir, now)
    await fs.mkdir(folder, { mode: 0o700 })
    for (const name of new Set([...names, ...remnants])) {
      const file = path.join(dataDir, name)
      if (existsSync(file)) await fs.rename(file, path.join(folder, name))
    }
    return folder
  } finally {
    unlock()
  }
}
