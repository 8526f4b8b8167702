import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { adminCommand } from '../../src/cli/admin-command.js'
import { readConfig } from '../../src/config/config.js'
import { checkAuditLog } from '../../src/doctor/checks/audit-log.js'
import {
  databaseEnvironment,
  dropTestDatabase,
  describeOnSqlite,
  openTestDatabase,
} from '../_database.js'

let dataDir: string

beforeEach(async () => {
  dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'audit-command-'))
  await admin('org', 'create', 'Acme')
  await admin('org', 'create', 'Bolt')
})
afterEach(async () => {
  await dropTestDatabase(dataDir)
  await fs.rm(dataDir, { recursive: true })
})

async function configOf() {
  return readConfig({ ENV_FILE: '', DATA_DIR: dataDir, ...(await databaseEnvironment(dataDir)) })
}

async function admin(...args: string[]): Promise<string> {
  let printed = ''
  const config = await configOf()
  const command = adminCommand(config, { out: (text) => void (printed += text), error: () => {} })
  await command.parseAsync(args, { from: 'user' })
  return printed
}

async function change(statement: string): Promise<void> {
  const db = await openTestDatabase(dataDir)
  await sql.raw(statement).execute(db)
  await db.destroy()
}

describe('admin audit verify', () => {
  it('reports how much it verified, and the head to keep elsewhere', async () => {
    const verdict = JSON.parse(await admin('audit', 'verify', '--json')) as { head: string }
    expect(verdict).toEqual({
      entries: 2,
      erased: 0,
      head: expect.stringMatching(/^2:[0-9a-f]{64}$/),
    })
    await admin('org', 'create', 'Core')
    expect(await admin('audit', 'verify', `--head=${verdict.head}`)).toContain('3')
  })

  it('names the first entry that was tampered with, as the doctor does', async () => {
    expect((await checkAuditLog(await configOf())).status).toBe('ok')
    await change(`update audit_log set actor = 'cli:else' where id = 2`)
    await expect(admin('audit', 'verify')).rejects.toThrow('entry 2, it was changed')
    expect(await checkAuditLog(await configOf())).toMatchObject({
      status: 'failed',
      found: 'entry 2: it was changed',
    })
  })
})

describeOnSqlite('admin audit verify with a head that was kept', () => {
  it('finds that the database was replaced by an earlier one', async () => {
    const file = path.join(dataDir, 'service.db')
    await fs.copyFile(file, `${file}.earlier`)
    await admin('org', 'create', 'Core')
    const { head } = JSON.parse(await admin('audit', 'verify', '--json')) as { head: string }
    await fs.rename(`${file}.earlier`, file)
    await admin('audit', 'verify')
    await expect(admin('audit', 'verify', `--head=${head}`)).rejects.toThrow(
      'does not have this head',
    )
  })
})

describe('the doctor', () => {
  it('creates nothing where there is no audit log yet', async () => {
    const empty = path.join(dataDir, 'empty')
    expect((await checkAuditLog({ dataDir: empty })).status).toBe('ok')
    await expect(fs.access(empty)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
