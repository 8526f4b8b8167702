import fs from 'node:fs/promises'
import { compactDatabase, truncateWal } from '../database/compact-database.js'
import { DataFolderInUseError, lockDataFolder } from '../database/lock-data-folder.js'
import { isPostgres } from '../database/dialect.js'
import { databaseFile, type Database, type DatabasePlace } from '../database/open-database.js'

/** Compacting this much takes about a second, for which requests of a running server have to wait. */
const MAX_BYTES_BESIDE_SERVER = 100_000_000

/**
 * Erases the remnants of deleted rows. SQLite: older pages in the write-ahead log, and free space within pages, by
 * compacting the database. Compacting is skipped for a large database while a server is running. PostgreSQL: vacuums.
 * @returns what remains, for the operator
 */
export async function eraseRemnants(
  db: Database,
  { dataDir }: Pick<DatabasePlace, 'dataDir'>,
): Promise<string> {
  if (isPostgres(db)) {
    await compactDatabase(db)
    return 'none in the tables; the server overwrites free space and its write-ahead log as it goes on, and its archives and backups keep older states as long as you keep them'
  }
  await truncateWal(db)
  const { size } = await fs.stat(databaseFile(dataDir))
  const unlock = await lockDataFolder(dataDir).catch((error: unknown) => {
    if (error instanceof DataFolderInUseError) return undefined
    throw error
  })
  try {
    if (!unlock && size > MAX_BYTES_BESIDE_SERVER) {
      return 'overwritten; to clear free space too, stop the server and run `npm run admin -- compact`'
    }
    await compactDatabase(db)
    return 'none'
  } finally {
    unlock?.()
  }
}
