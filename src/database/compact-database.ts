import { sql } from 'kysely'
import { isPostgres } from './dialect.js'
import { withErasureConnection } from './erasure-connection.js'
import { lockDataFolder } from './lock-data-folder.js'
import type { Database, DatabasePlace } from './open-database.js'

/**
 * Compacts the database. That of a data folder must be in use by no server.
 * @throws DataFolderInUseError
 */
export async function compactInstallation(place: DatabasePlace): Promise<void> {
  const unlock = place.postgres ? () => {} : await lockDataFolder(place.dataDir)
  try {
    await withErasureConnection(place, compactDatabase)
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
