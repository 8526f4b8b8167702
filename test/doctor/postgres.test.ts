import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { readConfig, type Config } from '../../src/config/config.js'
import { checkAuditLog } from '../../src/doctor/checks/audit-log.js'
import { checkClock } from '../../src/doctor/checks/clock.js'
import { checkDatabase } from '../../src/doctor/checks/database.js'
import { checkDisk } from '../../src/doctor/checks/disk.js'
import { checkFolders } from '../../src/doctor/checks/folders.js'
import { checkPlansFile } from '../../src/doctor/checks/plans-file.js'
import { judgeServer } from '../../src/doctor/checks/postgres.js'
import { checkSecret } from '../../src/doctor/checks/server-secret.js'
import { openSecretOf } from '../../src/organizations/check-server-secret.js'
import { recordAudit } from '../../src/organizations/audit-log.js'
import {
  databaseEnvironment,
  describeOnPostgres,
  dropTestDatabase,
  openTestDatabase,
} from '../_database.js'

const SOUND = { version: 150_018, isStandby: false, encoding: 'UTF8', connections: 97 }
const SETTINGS = { url: 'postgres://anna:hunter2@db.example/service', poolSize: 10 }

describe('a PostgreSQL server', () => {
  it('is sound, or is reported with what to do', () => {
    expect(judgeServer(SOUND, SETTINGS)).toBeUndefined()
    const cases = [
      [{ version: 140_011 }, 'failed', 'version 14'],
      [{ isStandby: true }, 'failed', 'standby'],
      [{ encoding: 'SQL_ASCII' }, 'failed', 'SQL_ASCII'],
      [{ connections: 29 }, 'warning', '29 connections'],
    ] as const
    for (const [facts, status, found] of cases) {
      const finding = judgeServer({ ...SOUND, ...facts }, SETTINGS)
      expect(finding).toMatchObject({ status, found: expect.stringContaining(found) })
      expect(JSON.stringify(finding)).not.toMatch(/anna|hunter2/)
    }
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
      ...(await databaseEnvironment(dataDir)),
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
})
