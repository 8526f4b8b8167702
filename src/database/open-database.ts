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

/** The database as queries see it; a transaction is one too. */
export type Database = Kysely<Tables>

const DATABASE_FILE = 'service.db'
/** Lies in a data folder while a restore exchanges its files. */
export const UNFINISHED_RESTORE = 'restore-unfinished'
const BUSY_TIMEOUT_MS = 5_000
const WAL_SIZE_LIMIT_BYTES = 64 * 1024 * 1024

/**
 * Opens the database in `dataDir` with its schema up to date; creates the folder (mode 700) and the file (mode 600)
 * when they are missing. `destroy()` closes it.
 *
 * There is one connection, which Kysely lends to one caller at a time: a transaction held over anything slow makes
 * every request wait.
 * @throws MigrationError, and OperatorError after a restore that did not end
 */
export async function openDatabase(dataDir: string): Promise<Database> {
  const file = await prepareFile(dataDir)
  const sqlite = new BetterSqlite3(file, { timeout: BUSY_TIMEOUT_MS })
  sqlite.pragma('journal_mode = wal')
  // Commits survive a crash of the process; those of the last moments before a power cut may be lost, always a
  // whole tail of them. What must survive that too goes through `transactDurably`.
  sqlite.pragma('synchronous = normal')
  // Without it macOS reports data as synced that is still in the drive's cache. No effect elsewhere.
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
    throw new OperatorError(`A restore into ${dataDir} did not end. Run the same restore again.`)
  }
  const file = databaseFile(dataDir)
  // SQLite gives its -wal and -shm files the mode of the database.
  const handle = await fs.open(file, 'a', 0o600)
  await handle.close()
  return file
}
