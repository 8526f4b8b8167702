import { sql } from 'kysely'
import { isPostgres } from './dialect.js'
import { openDatabase, type Database, type DatabasePlace } from './open-database.js'

/**
 * Opens the database for bulk deletion beside a running server; delete referencing rows first.
 *
 * SQLite overwrites deleted content, and checks no foreign keys, because it would scan a whole table for each deleted row.
 * PostgreSQL checks them by indexes, and gives the room of deleted rows free when it vacuums.
 */
export async function openErasureConnection(place: DatabasePlace): Promise<Database> {
  const db = await openDatabase(place.dataDir, { postgres: place.postgres })
  if (isPostgres(db)) return db
  await sql`pragma secure_delete = on`.execute(db)
  await sql`pragma foreign_keys = off`.execute(db)
  return db
}

/** Runs `work` on an erasure connection and closes it. */
export async function withErasureConnection<T>(
  place: DatabasePlace,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const db = await openErasureConnection(place)
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}
