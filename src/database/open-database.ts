import { existsSync } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { Kysely } from 'kysely'
import { OperatorError } from '../core/operator-error.js'
import { withStorageExplained } from './explain-storage-failure.js'
import { openPostgres } from './postgres/open-postgres.js'
import type { Pool } from './postgres/watched-pool.js'
import type { DatabasePlace, PostgresSettings } from '../config/postgres-settings.js'
import { refuseToRefill, refuseToReplaceDatabase } from './installation.js'
import { migrateDatabase } from './migrate-database.js'
import { ALL_MIGRATIONS } from './migrations/all-migrations.js'
import type { Tables } from './schema.js'
import type { StorageWatch } from './sqlite-connection.js'
import { ServiceSqliteDialect } from './sqlite-dialect.js'

/** The database as queries see it; transactions have this type too. */
export type Database = Kysely<Tables>

export type { DatabasePlace }

const DATABASE_FILE = 'service.db'
/** Marker file in the data folder while a restore replaces its files. */
export const UNFINISHED_RESTORE = 'restore-unfinished'
/** How long the start, a command or a thread may block for a lock of another process. */
const BUSY_TIMEOUT_MS = 5_000
const WAL_SIZE_LIMIT_BYTES = 64 * 1024 * 1024

export interface OpenOptions {
  /** For the server: knows whether the database can be used. Waits for locks then never block the event loop. */
  watch?: StorageWatch
  /** Refuse an empty folder instead of creating a database in it. Default: false. */
  mustExist?: boolean
  /** Where the database is if it is not in the data folder. */
  postgres?: PostgresSettings | undefined
  /** Gets the pool of connections, with PostgreSQL. */
  onPool?: (pool: Pool) => void
}

/**
 * Opens the database in `dataDir`, or that of `options.postgres`, and migrates it; creates the folder (mode 700) and the file
 * (mode 600) if missing, but not where a database was. `destroy()` closes it.
 *
 * SQLite has one connection, which Kysely gives to one caller at a time: a transaction that awaits anything slow blocks
 * every request. Queries throw a StorageError when the database cannot be used.
 * @throws MissingDatabaseError, StorageFailureError, MigrationError; OperatorError after an interrupted restore
 */
export function openDatabase(dataDir: string, options: OpenOptions = {}): Promise<Database> {
  const { postgres, watch, onPool } = options
  return withStorageExplained({ dataDir, postgres }, async () => {
    if (postgres) return openPostgres(postgres, watch, onPool)
    const file = await prepareFile(dataDir, options)
    const sqlite = new BetterSqlite3(file, { timeout: BUSY_TIMEOUT_MS })
    try {
      refuseToRefill(sqlite, dataDir)
      return await prepareDatabase(sqlite, watch)
    } catch (error) {
      sqlite.close()
      throw error
    }
  })
}

async function prepareDatabase(
  sqlite: BetterSqlite3.Database,
  watch: StorageWatch | undefined,
): Promise<Database> {
  sqlite.pragma('journal_mode = wal')
  // Commits survive a crash of the process. A power cut can lose the latest ones, always from the end.
  // `transactDurably` is for changes that must survive that too.
  sqlite.pragma('synchronous = normal')
  // Without it macOS reports data as synced while it is still in the drive's cache. No effect elsewhere.
  sqlite.pragma('fullfsync = on')
  sqlite.pragma(`journal_size_limit = ${WAL_SIZE_LIMIT_BYTES}`)
  sqlite.pragma('foreign_keys = on')
  sqlite.pragma('trusted_schema = off')
  const db = new Kysely<Tables>({ dialect: new ServiceSqliteDialect(sqlite, watch) })
  await migrateDatabase(db as Kysely<never>, ALL_MIGRATIONS)
  // From here on a wait would block every request.
  if (watch) sqlite.pragma('busy_timeout = 0')
  return db
}

export function databaseFile(dataDir: string): string {
  return path.join(dataDir, DATABASE_FILE)
}

async function prepareFile(dataDir: string, { mustExist }: OpenOptions): Promise<string> {
  await fs.mkdir(dataDir, { recursive: true, mode: 0o700 })
  if (existsSync(path.join(dataDir, UNFINISHED_RESTORE))) {
    throw new OperatorError(
      `A restore into ${dataDir} was interrupted. Run the same restore again.`,
    )
  }
  const file = databaseFile(dataDir)
  refuseToReplaceDatabase(dataDir, { file, mustExist })
  await createPrivately(file)
  return file
}

/**
 * SQLite creates its -wal and -shm files with the mode of the database. A file that exists is not even opened, because
 * closing it would release the locks that SQLite holds on it in this process.
 * Source: https://www.sqlite.org/howtocorrupt.html, section 2.2
 */
async function createPrivately(file: string): Promise<void> {
  try {
    const handle = await fs.open(file, 'wx', 0o600)
    await handle.close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
