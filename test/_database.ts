import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe } from '@jest/globals'
import { sql } from 'kysely'
import pg from 'pg'
import type { PostgresSettings } from '../src/config/postgres-settings.js'
import { openDatabase, type Database, type OpenOptions } from '../src/database/open-database.js'
import { migratePostgres } from '../src/database/postgres/open-postgres.js'

/** Server of the databases in this test run; undefined when they are SQLite files. */
const SERVER = process.env.TEST_POSTGRES_URL

export const isOnPostgres = SERVER !== undefined

/** On PostgreSQL, a migrated database that others are copies of: a tenth of the work of migrating each. */
const TEMPLATE = 'template-migrated'

/** Groups of tests that are about one of the databases. On the other they are skipped, under a title that says why. */
export const describeOnSqlite = describeIf(
  !isOnPostgres,
  'it is about the files and locks of SQLite',
)
export const describeOnPostgres = describeIf(isOnPostgres, 'it is about PostgreSQL')

function describeIf(runs: boolean, reason: string) {
  const describeSuite: Describe = runs ? describe : describe.skip
  const ending = runs ? '' : ` (not run: ${reason})`
  return (title: string, suite: () => void): void => describeSuite(title + ending, suite)
}

type Describe = (title: string, suite: () => void) => void

/** Opens the database that belongs to a data folder: a file in it, or on PostgreSQL one of its own. */
export async function openTestDatabase(
  dataDir: string,
  options: OpenOptions = {},
): Promise<Database> {
  return openDatabase(dataDir, {
    ...options,
    postgres: await postgresOf(dataDir, { isMigrated: true }),
  })
}

/**
 * Settings of the PostgreSQL database that belongs to a data folder, which exists afterwards; undefined for SQLite.
 * @param isMigrated - whether a database that did not exist has the schema of this version; otherwise it is empty
 */
export async function postgresOf(
  dataDir: string,
  { isMigrated = false } = {},
): Promise<PostgresSettings | undefined> {
  if (SERVER === undefined) return undefined
  await onServer(async (client) => {
    if (await exists(client, nameOf(dataDir))) return
    if (isMigrated) await prepareTemplate(client)
    await client.query(
      `create database ${quoted(dataDir)} template ${pg.escapeIdentifier(isMigrated ? TEMPLATE : 'template1')} strategy file_copy`,
    )
  })
  return settingsOf(nameOf(dataDir))
}

/** Creates the template unless the run has it already. */
async function prepareTemplate(client: pg.Client): Promise<void> {
  if (await exists(client, TEMPLATE)) return
  // Other suites run at the same time.
  await client.query('select pg_advisory_lock(1)')
  try {
    if (await exists(client, TEMPLATE)) return
    const unfinished = `${TEMPLATE}-unfinished`
    await client.query(`create database ${pg.escapeIdentifier(unfinished)}`)
    await migratePostgres(settingsOf(unfinished))
    await client.query(
      `alter database ${pg.escapeIdentifier(unfinished)} rename to ${pg.escapeIdentifier(TEMPLATE)}`,
    )
  } finally {
    await client.query('select pg_advisory_unlock(1)')
  }
}

async function exists(client: pg.Client, database: string): Promise<boolean> {
  const { rows } = await client.query('select 1 from pg_database where datname = $1', [database])
  return rows.length > 0
}

function settingsOf(database: string): PostgresSettings {
  const url = new URL(SERVER!)
  url.pathname = database
  return { url: url.href, directUrl: url.href, poolSize: 5, migrations: 'start' }
}

/**
 * Variables that make a server process use the database of a data folder. On PostgreSQL, where no start creates one, the
 * folder has a server secret afterwards.
 * @param isMigrated - as for `postgresOf`. Default: true.
 */
export async function databaseEnvironment(
  dataDir: string,
  { isMigrated = true } = {},
): Promise<Record<string, string>> {
  const postgres = await postgresOf(dataDir, { isMigrated })
  if (!postgres) return {}
  const file = path.join(dataDir, 'server-secret')
  await mkdir(dataDir, { recursive: true })
  if (!existsSync(file)) await writeFile(file, randomBytes(32), { mode: 0o600 })
  return {
    DATABASE_URL: postgres.url,
    DATABASE_POOL: String(postgres.poolSize),
    SERVER_SECRET_FILE: file,
  }
}

/** Deletes the PostgreSQL database of a data folder; that of SQLite goes with the folder. */
export async function dropTestDatabase(dataDir: string): Promise<void> {
  if (SERVER === undefined) return
  await onServer((client) =>
    client.query(`drop database if exists ${quoted(dataDir)} with (force)`),
  )
}

/** Waits until PostgreSQL runs nothing for connections that others have left. */
export async function untilIdle(db: Database): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select 1 from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'
    `.execute(db)
    if (rows.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Makes a database refuse to write, or accept it again; on PostgreSQL only to these tables. */
export async function refuseWrites(
  db: Database,
  { to, isRefused }: { to: readonly string[]; isRefused: boolean },
): Promise<void> {
  if (!isOnPostgres) {
    await sql`pragma query_only = ${sql.raw(isRefused ? 'on' : 'off')}`.execute(db)
    return
  }
  // As a standby does.
  await sql`
    create or replace function refuse_write() returns trigger language plpgsql as
    $$ begin raise exception 'refused by the test' using errcode = 'read_only_sql_transaction'; end $$
  `.execute(db)
  for (const table of to) {
    await (
      isRefused
        ? sql`create trigger refuse_write before insert or update or delete on ${sql.table(table)}
          execute function refuse_write()`
        : sql`drop trigger refuse_write on ${sql.table(table)}`
    ).execute(db)
  }
}

async function onServer(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: SERVER })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

function nameOf(dataDir: string): string {
  return `test-${createHash('sha256').update(path.resolve(dataDir)).digest('hex').slice(0, 16)}`
}

function quoted(dataDir: string): string {
  return pg.escapeIdentifier(nameOf(dataDir))
}
