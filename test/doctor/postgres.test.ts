import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { readConfig, type Config } from '../../src/config/config.js'
import { checkAuditLog } from '../../src/doctor/checks/audit-log.js'
import { checkClock } from '../../src/doctor/checks/clock.js'
import { checkDatabase } from '../../src/doctor/checks/database.js'
import { checkDisk } from '../../src/doctor/checks/disk.js'
import { checkFolders } from '../../src/doctor/checks/folders.js'
import { checkPlansFile } from '../../src/doctor/checks/plans-file.js'
import { judgeServer } from '../../src/doctor/checks/postgres.js'
import { checkConnections, judgeConnections } from '../../src/doctor/checks/postgres-connections.js'
import { checkDurability, judgeDurability } from '../../src/doctor/checks/postgres-durability.js'
import { inspectPooler } from '../../src/doctor/checks/postgres-pooler.js'
import { checkSecret } from '../../src/doctor/checks/server-secret.js'
import { openSecretOf } from '../../src/organizations/check-server-secret.js'
import { recordAudit } from '../../src/organizations/audit-log.js'
import {
  databaseEnvironment,
  describeOnPostgres,
  dropTestDatabase,
  openTestDatabase,
} from '../_database.js'
import { hasPgBouncer, startPgBouncer } from './_pgbouncer.js'

const describeWithPgBouncer = hasPgBouncer ? describe : describe.skip

const SOUND = { version: 150_018, isStandby: false, isReadOnly: false, encoding: 'UTF8' }
const URL_OF_SERVER = 'postgres://anna:hunter2@db.example/service'
const SETTINGS = {
  url: URL_OF_SERVER,
  directUrl: URL_OF_SERVER,
  poolSize: 10,
  migrations: 'start',
} as const
const ENOUGH = {
  limit: 97,
  others: 0,
  isPooled: false,
  isDirectPooled: false,
  isSameDatabase: true,
}

describe('a PostgreSQL server', () => {
  it('is sound, or is reported with what to do', () => {
    expect(judgeServer(SOUND, SETTINGS)).toBeUndefined()
    const cases = [
      [{ version: 140_011 }, 'failed', 'version 14'],
      [{ isStandby: true }, 'failed', 'standby'],
      [{ encoding: 'SQL_ASCII' }, 'failed', 'SQL_ASCII'],
      [{ isReadOnly: true }, 'failed', 'read only'],
    ] as const
    for (const [facts, status, found] of cases) {
      const finding = judgeServer({ ...SOUND, ...facts }, SETTINGS)
      expect(finding).toMatchObject({ status, found: expect.stringContaining(found) })
      expect(JSON.stringify(finding)).not.toMatch(/anna|hunter2/)
    }
  })

  it('has too few connections, or a pooler that migrations cannot use', () => {
    const cases = [
      [{}, {}, 'ok', '97 of 97 left'],
      [{ others: 53 }, {}, 'warning', '44 of 97 left'],
      [{ limit: 12 }, {}, 'warning', '12 of 12 left'],
      [{ others: 90 }, {}, 'failed', '7 of 97 left'],
      [{ limit: 10, others: 12 }, {}, 'failed', '0 of 10 left'],
      [{ isPooled: true, isDirectPooled: true }, {}, 'failed', 'DATABASE_URL leads'],
      [{ isPooled: true, isDirectPooled: true }, { migrations: 'never' }, 'ok', 'pooler'],
      [{ isPooled: true, others: 90 }, { directUrl: 'postgres://db/service' }, 'ok', 'pooler'],
      [{ isDirectPooled: true }, { directUrl: 'postgres://db/x' }, 'failed', 'DATABASE_DIRECT_URL'],
      [{ isSameDatabase: false }, { directUrl: 'postgres://b:pw@db/x' }, 'failed', 'database x'],
    ] as const
    for (const [facts, settings, status, found] of cases) {
      const finding = judgeConnections({ ...ENOUGH, ...facts }, { ...SETTINGS, ...settings })
      expect(finding).toMatchObject({ status, found: expect.stringContaining(found) })
      expect(JSON.stringify(finding)).not.toMatch(/anna|hunter2|pw/)
    }
  })

  it('loses what it acknowledged when it does not wait for the disk', () => {
    const durable = { fsync: true, fullPageWrites: true, synchronousCommit: 'on' }
    expect(judgeDurability(durable).status).toBe('ok')
    expect(judgeDurability({ ...durable, synchronousCommit: 'remote_write' }).status).toBe('ok')
    expect(judgeDurability({ ...durable, synchronousCommit: 'off' }).status).toBe('warning')
    expect(judgeDurability({ ...durable, fsync: false })).toMatchObject({
      status: 'failed',
      fix: expect.stringContaining('fsync = on'),
    })
    expect(judgeDurability({ ...durable, fullPageWrites: false }).status).toBe('failed')
  })

  it('that cannot be reached is reported without its password', async () => {
    const config = readConfig({
      ENV_FILE: '',
      DATABASE_URL: 'postgres://anna:hunter2@127.0.0.1:1/x',
    })
    const finding = await checkDatabase(config)
    expect(finding).toMatchObject({ status: 'failed', fix: expect.stringContaining('127.0.0.1:1') })
    expect(JSON.stringify(finding)).not.toMatch(/anna|hunter2/)
  })
})

describeOnPostgres('the doctor on PostgreSQL', () => {
  let dataDir: string
  let config: Config
  const NOW = Date.now()

  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(os.tmpdir(), 'doctor-postgres-'))
    config = readConfig({
      ENV_FILE: '',
      DATA_DIR: path.join(dataDir, 'none'),
      ...(await databaseEnvironment(dataDir, { isMigrated: false })),
    })
  })
  afterEach(async () => {
    await dropTestDatabase(dataDir)
    await rm(dataDir, { recursive: true })
  })

  async function install(): Promise<void> {
    const db = await openTestDatabase(dataDir)
    const secret = await openSecretOf(db, config)
    const event = { action: 'key.revoked', organizationId: 'org_1', subject: 'key_1' } as const
    await recordAudit({ db, secret }, event, { actor: 'cli:tester', now: NOW })
    await db.destroy()
  }

  it('finds nothing wrong before the first start, and creates nothing', async () => {
    expect(await checkDatabase(config)).toMatchObject({
      status: 'ok',
      found: expect.stringMatching(/the next start runs \d+ migrations/),
    })
    for (const check of [checkSecret, checkAuditLog, checkPlansFile, checkClock]) {
      expect(await check(config)).toMatchObject({ status: 'ok' })
    }
    for (const check of [checkDisk, checkFolders]) {
      expect(await check(config)).toMatchObject({ status: 'ok' })
    }
    expect((await checkDatabase(config)).found).toContain('migrations')
  })

  it('finds nothing wrong with a running installation', async () => {
    await install()
    expect(await checkDatabase(config)).toEqual({
      status: 'ok',
      found: expect.stringMatching(/^PostgreSQL at 127\.0\.0\.1:\d+, database test-\w+$/),
    })
    expect((await checkSecret(config)).found).toBe('belongs to the database')
    expect((await checkAuditLog(config)).found).toBe('1 entries, unchanged')
    expect((await checkPlansFile(config)).found).toBe('free, growth, scale')
  })

  it('detects a secret that is missing or of another database', async () => {
    await install()
    const { serverSecretFile: _none, ...without } = config
    expect((await checkSecret(without)).status).toBe('failed')
    await writeFile(config.serverSecretFile!, Buffer.alloc(32))
    expect((await checkSecret(config)).found).toContain('another one')
    await rm(config.serverSecretFile!)
    expect(await checkSecret(config)).toMatchObject({
      status: 'failed',
      fix: expect.stringContaining('head -c 32 /dev/urandom'),
    })
  })

  it('detects a clock that differs from that of the server', async () => {
    await install()
    expect((await checkClock(config, Date.now() + 60_000)).found).toContain('clock of PostgreSQL')
  })

  it('counts the connections that role and database leave', async () => {
    await install()
    expect(await checkConnections(config.postgres!)).toMatchObject({
      status: 'ok',
      found: expect.stringMatching(/^\d+ of 297 left/),
    })
    const greedy = { ...config.postgres!, poolSize: 500 }
    expect((await checkConnections(greedy)).status).toBe('failed')
    const db = await openTestDatabase(dataDir)
    const name = new URL(config.postgres!.url).pathname.slice(1)
    await sql`alter database ${sql.id(name)} connection limit 12`.execute(db)
    await db.destroy()
    expect(await checkConnections(config.postgres!)).toMatchObject({
      status: 'warning',
      found: expect.stringContaining('of 12 left'),
    })
  })

  it('detects that the server of these tests syncs nothing', async () => {
    expect(await checkDurability(config.postgres!)).toMatchObject({
      status: 'failed',
      found: expect.stringContaining('fsync and full_page_writes are off'),
    })
  })

  it('detects a database that an operator has set to read only', async () => {
    await install()
    const db = await openTestDatabase(dataDir)
    const name = new URL(config.postgres!.url).pathname.slice(1)
    await sql`alter database ${sql.id(name)} set default_transaction_read_only = on`.execute(db)
    await db.destroy()
    expect((await checkDatabase(config)).found).toContain('read only')
  })

  it('tells a server, and its databases, from another', async () => {
    const { url } = config.postgres!
    const facts = { isPooled: false, isDirectPooled: false }
    expect(await inspectPooler({ url, directUrl: url })).toEqual({ ...facts, isSameDatabase: true })
    const other = new URL(url)
    other.pathname = 'postgres'
    expect(await inspectPooler({ url, directUrl: other.href })).toEqual({
      ...facts,
      isSameDatabase: false,
    })
  })

  it('detects migrations that nobody runs, and those of a newer version', async () => {
    const never = { ...config, postgres: { ...config.postgres!, migrations: 'never' as const } }
    expect((await checkDatabase(never)).status).toBe('failed')
    await install()
    const db = await openTestDatabase(dataDir)
    await db
      .insertInto('kysely_migration' as never)
      .values({ name: '999-later', timestamp: '' } as never)
      .execute()
    await db.deleteFrom('service_metadata').where('name', '=', 'oldest_compatible_schema').execute()
    await db.destroy()
    expect(await checkDatabase(config)).toMatchObject({
      status: 'failed',
      fix: expect.stringContaining('999-later'),
    })
  })

  describeWithPgBouncer('behind PgBouncer', () => {
    it.each(['transaction', 'session'] as const)('recognises a pooler in %s mode', async (mode) => {
      const { url } = config.postgres!
      const pooler = await startPgBouncer(url, mode)
      try {
        const isPooled = mode === 'transaction'
        expect(await inspectPooler({ url: pooler.url, directUrl: url })).toEqual({
          isPooled,
          isDirectPooled: false,
          isSameDatabase: true,
        })
        const alone = { ...config.postgres!, url: pooler.url, directUrl: pooler.url }
        expect((await checkConnections(alone)).status).toBe(isPooled ? 'failed' : 'ok')
      } finally {
        await pooler.stop()
      }
    })
  })
})
