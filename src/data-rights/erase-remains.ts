import fs from 'node:fs/promises'
import { compactDatabase, emptyLog } from '../database/erasing-database.js'
import { DataFolderInUseError, lockDataFolder } from '../database/lock-data-folder.js'
import { databaseFile, type Database } from '../database/open-database.js'

/** Compacting takes about a second for it, which is how long requests of a server that runs wait. */
const MAX_BYTES_BESIDE_A_SERVER = 100_000_000

/**
 * Takes what deleted rows left in the files: the older pages in the log at once, and what lay in free parts of pages
 * by writing the database anew. That is put off when requests of a running server would have to wait for it.
 * @returns a sentence for the operator
 */
export async function eraseRemains(db: Database, dataDir: string): Promise<string> {
  await emptyLog(db)
  const { size } = await fs.stat(databaseFile(dataDir))
  const unlock = await lockDataFolder(dataDir).catch((error: unknown) => {
    if (error instanceof DataFolderInUseError) return undefined
    throw error
  })
  try {
    if (!unlock && size > MAX_BYTES_BESIDE_A_SERVER) {
      return 'overwritten; stop the server and run `npm run admin -- compact` to clear free space too'
    }
    await compactDatabase(db)
    return 'none'
  } finally {
    unlock?.()
  }
}
