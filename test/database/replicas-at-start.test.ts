import { mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { sql, type Kysely } from 'kysely'
import { MigrationError } from '../../src/database/migrate-database.js'
import type { Database } from '../../src/database/open-database.js'
import { listEventPartitions } from '../../src/database/postgres/event-partitions.js'
import { keepPartitionsAhead } from '../../src/database/postgres/keep-partitions-ahead.js'
import { migratePostgres, openPostgres } from '../../src/database/postgres/open-postgres.js'
import { POSTGRES_MIGRATIONS } from '../../src/database/postgres/migrations/postgres-migrations.js'
import { checkServerSecret } from '../../src/organizations/check-server-secret.js'
import { startAuditChain } from '../../src/organizations/audit-log.js'
import { openServerSecret } from '../../src/organizations/server-secret.js'
import { readPlans } from '../../src/metering/plans.js'
import { createFirstOrganization } from '../../src/server/first-organization.js'
import { describeOnPostgres, dropTestDatabase, openTestDatabase, postgresOf } from '../_database.js'

const NOW = Date.UTC(2026, 6, 15)
let dataDir: string

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'replicas-'))
})
afterEach(async () => {
  await dropTestDatabase(dataDir)
  await rm(dataDir, { recursive: true })
})

describeOnPostgres('six replicas that start at the same time', () => {
  it('migrate once, share one secret and create one first organisation with one key', async () => {
    await postgresOf(dataDir)
    const secret = await openServerSecret(dataDir)
    const plans = await readPlans({ dataDir, plansFile: undefined })
    const start = async () => {
      const db = await openTestDatabase(dataDir)
      await checkServerSecret(db, secret)
      await startAuditChain({ db, secret }, NOW)
      return { db, key: await createFirstOrganization({ db, secret, plans, dataDir }, NOW) }
    }
    const replicas = await Promise.all(Array.from({ length: 6 }, start))
    try {
      expect(replicas.filter(({ key }) => key !== undefined)).toHaveLength(1)
      const { rows } = await sql<{ organizations: number; keys: number }>`
        select (select count(*) from organizations) as organizations, (select count(*) from api_keys) as keys
      `.execute(replicas[0]!.db)
      expect(rows).toEqual([{ organizations: 1, keys: 1 }])
    } finally {
      for (const { db } of replicas) await db.destroy()
    }
  })

  it('create the partitions of events once', async () => {
    await (await openTestDatabase(dataDir)).destroy()
    const replicas = await Promise.all(Array.from({ length: 6 }, () => openTestDatabase(dataDir)))
    try {
      for (const clock of [() => NOW, () => Date.UTC(2027, 0), () => Date.UTC(2028, 0)]) {
        const starts = replicas.map((db) => keepPartitionsAhead({ db, clock, onError: () => {} }))
        for (const stop of await Promise.all(starts)) await stop()
      }
      expect(await listEventPartitions(replicas[0]!)).toHaveLength(6)
    } finally {
      for (const db of replicas) await db.destroy()
    }
  })

  it('create no key where none of them can write it down', async () => {
    const db = await openTestDatabase(dataDir)
    try {
      const secret = await openServerSecret(dataDir)
      const plans = await readPlans({ dataDir, plansFile: undefined })
      // A file: no folder can be created in it, not even by root.
      const deps = { db, secret, plans, dataDir: path.join(dataDir, 'server-secret', 'data') }
      expect(await createFirstOrganization(deps, NOW)).toBeUndefined()
      expect(await count(db, 'organizations')).toBe(1)
      expect(await count(db, 'api_keys')).toBe(0)
      expect(await readdir(dataDir)).not.toContain('first-key')
    } finally {
      await db.destroy()
    }
  })
})

async function count(db: Database, table: string): Promise<number | undefined> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)}
  `.execute(db)
  return rows[0]?.count
}

describeOnPostgres('an update that rolls out', () => {
  const addTable = (name: string) => ({
    up: async (db: Kysely<unknown>) =>
      void (await sql`create table ${sql.table(name)} (id integer)`.execute(db)),
  })
  const compatible = { ...addTable('later'), oldestCompatible: '001-baseline' }

  it('lets replicas of the version before start and run beside it, if it says that they can', async () => {
    const settings = (await postgresOf(dataDir))!
    await migratePostgres(settings, { ...POSTGRES_MIGRATIONS, '002-later': compatible })
    const db = await openPostgres(settings)
    expect(await count(db, 'later')).toBe(0)
    await db.destroy()
    const checked = await openPostgres({ ...settings, migrations: 'never' })
    await checked.destroy()
  })

  it.each(['start', 'never'] as const)(
    'is refused by older replicas otherwise (MIGRATIONS=%s)',
    async (migrations) => {
      const settings = (await postgresOf(dataDir))!
      await migratePostgres(settings, {
        ...POSTGRES_MIGRATIONS,
        '002-incompatible': addTable('other'),
        '003-later': compatible,
      })
      const opening = openPostgres({ ...settings, migrations })
      await expect(opening).rejects.toBeInstanceOf(MigrationError)
      await expect(opening).rejects.toThrow('002-incompatible, 003-later')
    },
  )

  it('is waited for where servers do not migrate themselves', async () => {
    const settings = (await postgresOf(dataDir))!
    const opening = openPostgres({ ...settings, migrations: 'never' })
    await expect(opening).rejects.toThrow('MIGRATIONS=only')
  })
})
