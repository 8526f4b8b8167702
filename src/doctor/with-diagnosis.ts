import { existsSync } from 'node:fs'
import BetterSqlite3 from 'better-sqlite3'
import { Kysely, PostgresDialect } from 'kysely'
import { hasDatabase } from '../database/installation.js'
import { databaseFile, type Database, type DatabasePlace } from '../database/open-database.js'
import { listApplied } from '../database/postgres/schema-compatibility.js'
import { WatchedPool } from '../database/postgres/watched-pool.js'
import type { Tables } from '../database/schema.js'
import { ServiceSqliteDialect } from '../database/sqlite-dialect.js'

/**
 * Runs `work`, which only reads, on the database as it is, without a migration.
 * @returns undefined if there is no database yet, or none of its tables
 */
export async function withDiagnosis<T>(
  place: DatabasePlace,
  work: (db: Database) => Promise<T>,
): Promise<T | undefined> {
  const db = place.postgres ? openServer(place.postgres) : openFile(place.dataDir)
  if (!db) return undefined
  try {
    if (place.postgres && (await listApplied(db)).length === 0) return undefined
    return await work(db)
  } finally {
    await db.destroy()
  }
}

function openFile(dataDir: string): Database | undefined {
  const file = databaseFile(dataDir)
  if (!existsSync(file) || !hasDatabase(file)) return undefined
  // Not `readonly`: that cannot open a database in WAL mode if its -wal and -shm files do not exist.
  const sqlite = new BetterSqlite3(file, { fileMustExist: true })
  sqlite.pragma('query_only = on')
  return new Kysely<Tables>({ dialect: new ServiceSqliteDialect(sqlite) })
}

function openServer({ url }: NonNullable<DatabasePlace['postgres']>): Database {
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: new WatchedPool({ url, poolSize: 1 }) }),
  })
}
