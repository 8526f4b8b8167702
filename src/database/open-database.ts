import { existsSync } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { Kysely } from 'kysely'
import { OperatorError } from '../core/operator-error.js'
import { migrateDatabase } from './migrate-database.js'
import { ALL_MIGRATIONS } from './migrations/all-migrations.js'
import type { Tables } from './schema.js'
import { ServiceSqliteDialect } from './sqlite-dialect.js'

/** The database as queries see it; transactions have this type too. */
export type Database = Kysely<Tables>

const DATABASE_FILE = 'service.db'
/** Marker file in the data folder while a restore replaces its files. */
export const UNFINISHED_RESTORE = 'restore-unfinished'
const BUSY_TIMEOUT_MS = 5_000
const WAL_SIZE_LIMIT_BYTES = 64 * 1024 * 1024

/**
 * Opens the database in `dataDir` and migrates it; creates the folder (mode 700) and the file (mode 600) if missing.
 * `destroy()` closes it.
 *
 * There is one connection, which Kysely gives to one caller at a time: a transaction that awaits anything slow blocks
 * every request.
 * @throws MigrationError; OperatorError after an interrupted restore
 */
export async function openDatabase(dataDir: string): Promise<Database> {
  const file = await prepareFile(dataDir)
  const sqlite = new BetterSqlite3(file, { timeout: BUSY_TIMEOUT_MS })
  sqlite.pragma('journal_mode = wal')
  // Commits survive a crash of the process. A power cut can lose the latest ones, always from the end.
  // `transactDurably` is for changes that must survive that too.
  sqlite.pragma('synchronous = normal')
  // Without it macOS reports data as synced while it is still in the drive's cache. No effect elsewhere.
  sqlite.pragma('fullfsync = on')
  sqlite.pragma(`journal_size_limit = ${WAL_SIZE_LIMIT_BYTES}`)
  sqlite.pragma('foreign_keys = on')
  sqlite.pragma('trusted_schema = off')
  const db = new Kysely<Tables>({ dialect: new ServiceSqliteDialect(sqlite) })
  try {
    await migrateDatabase(db as Kysely<never>, ALL_MIGRATIONS)
  } catch (error) {
    await db.destroy()
    throw error
  }
  return db
}

export function databaseFile(dataDir: string): string {
  return path.join(dataDir, DATABASE_FILE)
}

async function prepareFile(dataDir: string): Promise<string> {
  await fs.mkdir(dataDir, { recursive: true, mode: 0o700 })
  if (existsSync(path.join(dataDir, UNFINISHED_RESTORE))) {
    throw new OperatorError(
      `A restore into ${dataDir} was interrupted. Run the same restore again.`,
    )
  }
  const file = databaseFile(dataDir)
  // SQLite creates its -wal and -shm files with the mode of the database.
  const handle = await fs.open(file, 'a', 0o600)
  await handle.close()
  return file
}
