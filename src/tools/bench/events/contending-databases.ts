import path from 'node:path'
import process from 'node:process'
import { openDatabase, type Database } from '../../../database/open-database.js'
import { createScratchDatabase } from '../service/scratch-database.js'

export interface ContendingDatabase {
  name: 'SQLite' | 'PostgreSQL'
  db: Database
  /** Of the server, or of the library. */
  version: string
  close: () => Promise<void>
}

const HOW_TO_ADD =
  'PostgreSQL is left out: BENCH_POSTGRES_URL names no server, such as postgres://user:password@host/postgres, on which a database may be created.'

/** Opens an empty database of each kind; those on a server are dropped again when they are closed. */
export async function openContendingDatabases(folder: string): Promise<ContendingDatabase[]> {
  const sqlite = await openSqlite(folder)
  const server = process.env.BENCH_POSTGRES_URL
  if (server !== undefined) return [sqlite, await openPostgres(folder, server)]
  console.error(HOW_TO_ADD)
  return [sqlite]
}

async function openSqlite(folder: string): Promise<ContendingDatabase> {
  const db = await openDatabase(path.join(folder, 'sqlite'))
  const { default: BetterSqlite3 } = await import('better-sqlite3')
  const memory = new BetterSqlite3(':memory:')
  const version = memory.prepare('select sqlite_version()').pluck().get() as string
  memory.close()
  return { name: 'SQLite', db, version, close: () => db.destroy() }
}

async function openPostgres(folder: string, server: string): Promise<ContendingDatabase> {
  const { settings, version, drop } = await createScratchDatabase(server)
  const db = await openDatabase(folder, { postgres: settings })
  const close = async () => {
    await db.destroy()
    await drop()
  }
  return { name: 'PostgreSQL', db, version, close }
}
