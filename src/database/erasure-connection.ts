import { sql } from 'kysely'
import { openDatabase, type Database } from './open-database.js'

/**
 * Opens the database for bulk deletion beside a running server. Deleted content is overwritten. Foreign keys are not
 * checked, because SQLite would scan a whole table for each deleted row: delete referencing rows first.
 */
export async function openErasureConnection(dataDir: string): Promise<Database> {
  const db = await openDatabase(dataDir)
  await sql`pragma secure_delete = on`.execute(db)
  await sql`pragma foreign_keys = off`.execute(db)
  return db
}

/** Runs `work` on an erasure connection and closes it. */
export async function withErasureConnection<T>(
  dataDir: string,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const db = await openErasureConnection(dataDir)
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}
