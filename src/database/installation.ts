import fs from 'node:fs'
import path from 'node:path'
import type BetterSqlite3 from 'better-sqlite3'
import { OperatorError } from '../core/operator-error.js'

/**
 * Files that a start writes only after it has created the database, and the database's log. Where one of them is, there
 * was a database.
 */
const DATABASE_LOG = 'service.db-wal'
const REMAINS = ['server-secret', 'first-key', DATABASE_LOG] as const

/** A data folder has lost its database; `message` says what to do. */
export class MissingDatabaseError extends OperatorError {}

/** Lists files of an installation in a data folder, which show that it had a database. */
export function findInstallationFiles(dataDir: string): string[] {
  return REMAINS.filter((name) => sizeOf(path.join(dataDir, name)) > 0)
}

/**
 * Whether a data folder holds a database with content; SQLite takes an empty file for a new database.
 */
export function hasDatabase(file: string): boolean {
  return sizeOf(file) > 0
}

/**
 * Refuses to take a data folder that lost its database for a new one: a new, empty database would accept no partner's key.
 * @param mustExist - refuses a folder without any files too
 * @throws MissingDatabaseError
 */
export function refuseToReplaceDatabase(
  dataDir: string,
  { file, mustExist = false }: { file: string; mustExist?: boolean },
): void {
  if (hasDatabase(file)) return
  const found = findInstallationFiles(dataDir)
  if (found.length > 0) throw new MissingDatabaseError(explainMissingDatabase(file, found))
  if (!mustExist) return
  throw new MissingDatabaseError(
    `There is no database in ${dataDir}, and REQUIRE_DATABASE is set. Mount the volume that holds it, or correct DATA_DIR.`,
  )
}

/**
 * Refuses a database without any table in a data folder that had one with tables.
 * @throws MissingDatabaseError
 */
export function refuseToRefill(sqlite: BetterSqlite3.Database, dataDir: string): void {
  const found = findInstallationFiles(dataDir).filter((name) => name !== DATABASE_LOG)
  if (found.length === 0 || sqlite.prepare('select 1 from sqlite_schema limit 1').get()) return
  throw new MissingDatabaseError(explainMissingDatabase(sqlite.name, found))
}

/** @param found - files of an installation beside the missing database */
export function explainMissingDatabase(file: string, found: readonly string[]): string {
  const what = fs.existsSync(file) ? 'is empty' : 'is missing'
  return (
    `The database ${file} ${what}, but other files of an installation are there (${found.join(', ')}). ` +
    'Mount the volume that holds the database, or restore a backup: npm run admin -- restore FOLDER. ' +
    'To give up its organisations and keys and start anew: npm run admin -- start-anew.'
  )
}

function sizeOf(file: string): number {
  return fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
