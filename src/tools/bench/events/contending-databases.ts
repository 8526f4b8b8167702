import { randomBytes } from 'node:crypto'
import path from 'node:path'
import process from 'node:process'
import pg from 'pg'
import { openDatabase, type Database } from '../../../database/open-database.js'

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
  const name = `bench_${randomBytes(6).toString('hex')}`
  const version = await onServer(server, async (client) => {
    await client.query(`create database ${name} encoding 'UTF8' template template0`)
    const { rows } = await client.query<{ server_version: string }>('show server_version')
    return rows[0]!.server_version
  })
  const url = new URL(server)
  url.pathname = name
  const postgres = {
    url: url.href,
    directUrl: url.href,
    poolSize: 10,
    migrations: 'start',
  } as const
  const db = await openDatabase(folder, { postgres })
  const close = async () => {
    await db.destroy()
    await onServer(server, (client) => client.query(`drop database ${name} with (force)`))
  }
  return { name: 'PostgreSQL', db, version, close }
}

async function onServer<T>(server: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
