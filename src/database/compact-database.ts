import { sql } from 'kysely'
import { isPostgres } from './dialect.js'
import { withErasureConnection } from './erasure-connection.js'
import { lockDataFolder } from './lock-data-folder.js'
import type { Database } from './open-database.js'

/**
 * Compacts the database of a data folder that no server uses.
 * @throws DataFolderInUseError
 */
export async function compactDataFolder(dataDir: string): Promise<void> {
  const unlock = await lockDataFolder(dataDir)
  try {
    await withErasureConnection({ dataDir }, compactDatabase)
  } finally {
    unlock()
  }
}

/**
 * Rewrites the database without free space or remnants of deleted rows, and truncates the write-ahead log. It blocks all
 * other writers: about a second for each 100 MB. PostgreSQL frees the room of deleted rows beside its readers and
 * writers; later rows overwrite it.
 */
export async function compactDatabase(db: Database): Promise<void> {
  await sql`vacuum`.execute(db)
  if (!isPostgres(db)) await truncateWal(db)
}

/** Checkpoints the write-ahead log and truncates it, so that it holds no older version of a page. */
export async function truncateWal(db: Database): Promise<void> {
  await sql`pragma wal_checkpoint(truncate)`.execute(db)
}
