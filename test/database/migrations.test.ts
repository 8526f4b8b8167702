import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { Kysely, sql, type Migration } from 'kysely'
import { migrateDatabase, MigrationError } from '../../src/database/migrate-database.js'
import { ALL_MIGRATIONS } from '../../src/database/migrations/all-migrations.js'
import { ServiceSqliteDialect } from '../../src/database/sqlite-dialect.js'

let folder: string
let sqlite: BetterSqlite3.Database
let db: Kysely<never>

beforeEach(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'migrations-'))
  sqlite = new BetterSqlite3(path.join(folder, 'test.db'))
  db = new Kysely({ dialect: new ServiceSqliteDialect(sqlite) })
})

afterEach(async () => {
  await db.destroy()
  await fs.rm(folder, { recursive: true })
})

function schemaOf(database: BetterSqlite3.Database): string[] {
  return database
    .prepare(`select sql from sqlite_master where sql is not null order by type desc, name`)
    .pluck()
    .all() as string[]
}

const first: Migration = {
  up: async (db) => {
    await sql`create table first (id integer)`.execute(db)
  },
}
const failing: Migration = {
  up: async (db) => {
    await sql`create table second (id integer)`.execute(db)
    await sql`insert into first values (1)`.execute(db)
    await sql`alter table first rename to renamed`.execute(db)
    await sql`insert into no_such_table values (1)`.execute(db)
  },
}
const mended: Migration = {
  up: async (db) => {
    await sql`create table second (id integer)`.execute(db)
  },
}

describe('migrations', () => {
  it('produce the committed schema', async () => {
    await migrateDatabase(db, ALL_MIGRATIONS)
    expect(schemaOf(sqlite).join(';\n')).toMatchSnapshot()
    expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(sqlite.pragma('foreign_key_check')).toEqual([])
  })

  it('verify no address of earlier versions, and keep only identities that are the one way in', async () => {
    const before = Object.entries(ALL_MIGRATIONS).filter(([name]) => name < '050')
    await migrateDatabase(db, Object.fromEntries(before))
    sqlite.exec(`
      insert into accounts values ('acc_1', 'ada@example.com', 'hash', 1, 1);
      insert into accounts values ('acc_2', 'grace@example.com', null, 1, 1);
      insert into account_identities values ('https://id.example', 'ada', 'acc_1');
      insert into account_identities values ('https://id.example', 'grace', 'acc_2');
    `)
    await migrateDatabase(db, ALL_MIGRATIONS)
    expect(sqlite.prepare('select sign_in_name, email from accounts').all()).toEqual([
      { sign_in_name: 'ada@example.com', email: null },
      { sign_in_name: 'grace@example.com', email: null },
    ])
    expect(sqlite.prepare('select subject from account_identities').pluck().all()).toEqual([
      'grace',
    ])
  })

  it('keep what was charged, and the permits of calls that run', async () => {
    const before = Object.entries(ALL_MIGRATIONS).filter(([name]) => name < '070')
    await migrateDatabase(db, Object.fromEntries(before))
    sqlite.exec(`
      insert into organizations values ('org_1', 'Example', 'free', 1);
      insert into quota_usage values ('org_1', 'live', 'events', '2026-06', 7);
      insert into quota_usage values ('org_1', 'live', 'events', '2026-07', 40);
      insert into quota_reservations values ('org_1', 'live', 'events', '2026-07', 'one', 100);
      insert into quota_reservations values ('org_1', 'live', 'events', '2026-07', 'two', 200);
      insert into quota_reservations values ('org_1', 'test', 'events', '2026-07', 'three', 300);
    `)
    await migrateDatabase(db, ALL_MIGRATIONS)
    expect(sqlite.prepare('select environment, period, admitted from quota_usage').all()).toEqual([
      { environment: 'live', period: '2026-06', admitted: 7 },
      { environment: 'live', period: '2026-07', admitted: 42 },
      { environment: 'test', period: '2026-07', admitted: 1 },
    ])
    expect(sqlite.prepare('select id, deadline from quota_leases order by deadline').all()).toEqual(
      [
        { id: 'one', deadline: 100 },
        { id: 'two', deadline: 200 },
        { id: 'three', deadline: 300 },
      ],
    )
  })

  it('are named in the order in which they run', () => {
    const names = Object.keys(ALL_MIGRATIONS)
    expect(names).toEqual([...names].sort())
  })

  it('roll back one that fails, and keep those before it', async () => {
    const run = migrateDatabase(db, { '001-first': first, '002-failing': failing })
    await expect(run).rejects.toBeInstanceOf(MigrationError)
    const tables = schemaOf(sqlite).join('\n')
    expect(tables).toContain('first')
    expect(tables).not.toContain('second')
    expect(tables).not.toContain('renamed')
    expect(sqlite.prepare('select count(*) from first').pluck().get()).toBe(0)
    expect(sqlite.prepare('select name from kysely_migration').pluck().all()).toEqual(['001-first'])
  })

  it('continue once the failing one is fixed', async () => {
    const run = migrateDatabase(db, { '001-first': first, '002-failing': failing })
    await expect(run).rejects.toBeInstanceOf(MigrationError)
    await migrateDatabase(db, { '001-first': first, '002-failing': mended })
    expect(schemaOf(sqlite).join('\n')).toContain('second')
  })

  it('do nothing the second time', async () => {
    await migrateDatabase(db, ALL_MIGRATIONS)
    const before = sqlite.prepare('select * from kysely_migration').all()
    await migrateDatabase(db, ALL_MIGRATIONS)
    expect(sqlite.prepare('select * from kysely_migration').all()).toEqual(before)
  })

  it('refuse a database of a newer version', async () => {
    await migrateDatabase(db, { '001-first': first, '002-second': mended })
    const older = migrateDatabase(db, { '001-first': first })
    await expect(older).rejects.toBeInstanceOf(MigrationError)
  })
})
