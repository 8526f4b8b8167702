import fs from 'node:fs/promises'
import path from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { sql } from 'kysely'
import { OperatorError } from '../../src/core/operator-error.js'
import { DataFolderInUseError, lockDataFolder } from '../../src/database/lock-data-folder.js'
import { databaseFile, openDatabase } from '../../src/database/open-database.js'
import { createKey } from '../../src/organizations/api-key.js'
import { createOrganization } from '../../src/organizations/organization.js'
import { transferInstallation } from '../../src/transfer/transfer-installation.js'
import { describeOnPostgres } from '../_database.js'
import { act, NOON } from '../organizations/_storage.js'
import { closeOpened, countRows, open } from './_both-databases.js'
import { createInstallation, removeTemplates, type Installation } from './_installation.js'

let installation: Installation

afterAll(removeTemplates)

describeOnPostgres('a transfer is refused', () => {
  beforeEach(async () => {
    installation = await createInstallation({ eventCount: 100 })
  })
  afterEach(async () => {
    await closeOpened()
    await installation.remove()
  })

  const transferWith = (changes: Partial<Installation['config']>) =>
    transferInstallation({ ...installation.config, ...changes }, { clock: () => NOON })

  it('while a server runs on the data folder', async () => {
    const unlock = await lockDataFolder(installation.dataDir)
    await expect(installation.transfer()).rejects.toBeInstanceOf(DataFolderInUseError)
    unlock()
  })

  it('while a command writes to the data folder', async () => {
    const source = await open(installation.openSource())
    await source.transaction().execute(async () => {
      await expect(installation.transfer()).rejects.toThrow('Another command is writing')
    })
  })

  it('while a server is connected to PostgreSQL', async () => {
    await open(installation.openTarget())
    await expect(installation.transfer()).rejects.toThrow('Stop all servers')
  })

  it('into a database that holds an installation', async () => {
    const target = await installation.openTarget()
    await createOrganization(
      { ...installation, db: target },
      { name: 'Other', plan: 'free' },
      act(),
    )
    await target.destroy()
    await expect(installation.transfer()).rejects.toThrow('already holds an installation')
    await open(installation.openTarget())
  })

  it('with another secret, or none', async () => {
    await expect(transferWith({ serverSecretFile: undefined })).rejects.toThrow(
      'SERVER_SECRET_FILE',
    )
    const serverSecretFile = path.join(installation.dataDir, 'other-secret')
    await fs.writeFile(serverSecretFile, Buffer.alloc(32, 1), { mode: 0o600 })
    await expect(transferWith({ serverSecretFile })).rejects.toThrow('another secret')
  })

  it('with other plans than those in use', async () => {
    const file = path.join(installation.dataDir, 'plans.json')
    const plans = JSON.parse(await fs.readFile(file, 'utf8')) as { plans: Record<string, unknown> }
    plans.plans.own = plans.plans.scale
    await fs.writeFile(file, JSON.stringify(plans))
    await expect(installation.transfer()).rejects.toThrow('PLANS_FILE')
    expect((await transferWith({ plansFile: file })).outcome).toBe('moved')
  })

  it.each([
    ['older', `delete from kysely_migration where name = '060-learning'`, 'older version'],
    ['newer', `insert into kysely_migration values ('999-later', '')`, 'newer version'],
  ])('from a database of an %s version', async (_what, change, message) => {
    const source = await installation.openSource()
    await sql.raw(change).execute(source)
    await source.destroy()
    await expect(installation.transfer()).rejects.toThrow(message)
  })

  it('when the source has changed since it was interrupted', async () => {
    const stop = ({ phase }: { phase: string }) => {
      if (phase === 'comparing') throw new Error('killed')
    }
    await expect(installation.transfer(stop)).rejects.toThrow('killed')
    const source = await installation.openSource()
    const key = { name: 'Late', environment: 'test', capabilities: ['events'] } as const
    await createKey(
      { db: source, secret: installation.secret },
      { organizationId: installation.organizationId, ...key },
      act(),
    )
    await source.destroy()
    const continued = installation.transfer()
    await expect(continued).rejects.toBeInstanceOf(OperatorError)
    await expect(continued).rejects.toThrow('before something in it changed')
  })

  it.each([
    ['a text that PostgreSQL cannot store', `update accounts set sign_in_name = 'a' || char(0)`],
    ['a row that refers to nothing', `update api_keys set organization_id = 'gone'`],
  ])('for %s, without quoting it', async (_what, change) => {
    const sqlite = new BetterSqlite3(databaseFile(installation.dataDir))
    sqlite.pragma('foreign_keys = off')
    sqlite.exec(change)
    sqlite.close()
    const refused = await installation.transfer().catch((error: Error) => error)
    expect(refused).toBeInstanceOf(OperatorError)
    expect((refused as Error).message).toMatch(/table (?:accounts|api_keys) .*\(2[23].{3}\)/)
    expect((refused as Error).message).not.toMatch(/gone|Key/)
  })

  it('without a database on either side', async () => {
    await expect(transferWith({ postgres: undefined })).rejects.toThrow('DATABASE_URL')
    const dataDir = path.join(installation.dataDir, 'nothing')
    await expect(transferWith({ dataDir })).rejects.toThrow('DATA_DIR')
    await expect(fs.access(dataDir)).rejects.toThrow('ENOENT')
  })

  it('and then leaves the database as it was, ready for a server', async () => {
    await expect(transferWith({ serverSecretFile: undefined })).rejects.toThrow(
      'SERVER_SECRET_FILE',
    )
    const target = await open(openDatabase(installation.dataDir, installation))
    expect(await countRows(target, 'organizations')).toBe(0)
  })
})
