import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import path from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { sql } from 'kysely'
import { OperatorError } from '../../src/core/operator-error.js'
import { eraseEndUser } from '../../src/data-rights/erase-end-user.js'
import { DataFolderInUseError, lockDataFolder } from '../../src/database/lock-data-folder.js'
import { databaseFile, openDatabase, type Database } from '../../src/database/open-database.js'
import { UnfinishedTransferError } from '../../src/database/postgres/transfer-state.js'
import { checkPostgres } from '../../src/doctor/checks/postgres.js'
import { storeEvents } from '../../src/events/store-events.js'
import { createKey } from '../../src/organizations/api-key.js'
import { createOrganization } from '../../src/organizations/organization.js'
import { verifyAuditLog } from '../../src/organizations/verify-audit-log.js'
import { MOVED_TABLES, NOT_MOVED } from '../../src/transfer/moved-tables.js'
import { transferInstallation } from '../../src/transfer/transfer-installation.js'
import { describeOnPostgres } from '../_database.js'
import { act, NOON } from '../organizations/_storage.js'
import {
  callOnce,
  createInstallation,
  describeInstallation,
  removeTemplates,
  type Installation,
} from './_installation.js'

afterAll(removeTemplates)

let installation: Installation
const opened: Database[] = []

const open = async (opening: Promise<Database>) => {
  const db = await opening
  opened.push(db)
  return db
}

async function countRows(db: Database, table: string): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select count(*) as rows from ${sql.table(table)}
  `.execute(db)
  return rows[0]!.rows
}

/** What both databases show, side by side. */
async function describeBoth() {
  const source = await open(installation.openSource())
  const target = await open(installation.openTarget())
  return {
    source: await describeInstallation(source, installation),
    target: await describeInstallation(target, installation),
  }
}

describeOnPostgres('the list of moved tables', () => {
  beforeEach(async () => {
    installation = await createInstallation({ eventCount: 100 })
  })
  afterEach(() => installation.remove())

  it('names each table of both databases, or says why it is not moved', async () => {
    const source = await installation.openSource()
    const target = await installation.openTarget()
    const ofSqlite = await sql<{ name: string }>`
      select name from sqlite_schema where type = 'table'
      and name not like 'kysely%' and name not like 'sqlite%'
    `.execute(source)
    const ofPostgres = await sql<{ name: string }>`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname not like 'kysely%'
    `.execute(target)
    await Promise.all([source.destroy(), target.destroy()])
    const existing = [...ofSqlite.rows, ...ofPostgres.rows].map(({ name }) => name)
    const listed = [...MOVED_TABLES.map(({ table }) => table), ...Object.keys(NOT_MOVED)]
    expect(listed.toSorted()).toEqual([...new Set(existing)].toSorted())
  })
})

describeOnPostgres('moving an installation', () => {
  beforeEach(async () => {
    installation = await createInstallation()
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((db) => db.destroy()))
    await installation.remove()
  })

  it('moves every table, so that reports, keys, sessions and quotas are the same', async () => {
    const report = await installation.transfer()
    expect(report.outcome).toBe('moved')
    expect([...report.tables.keys()]).toEqual(MOVED_TABLES.map(({ table }) => table))
    for (const [table, { rows }] of report.tables) expect([table, rows > 0]).toEqual([table, true])
    expect(report.audit).toMatchObject({ broken: undefined, erased: expect.any(Number) })
    expect(report.audit!.erased).toBeGreaterThan(0)
    const { source, target } = await describeBoth()
    expect(target).toEqual(source)
    expect(target.session).toBeDefined()
    expect(target.retention.length).toBeGreaterThan(10)
  })

  it('lets the installation go on: answers are repeated, ids follow, events are counted once', async () => {
    await installation.transfer()
    const source = await open(installation.openSource())
    const target = await open(installation.openTarget())
    const { secret, plans, organizationId } = installation
    const parts = { db: target, secret, plans }
    expect(await callOnce(parts, installation, 'another answer')).toMatchObject({
      replayed: true,
      answer: { body: 'the first answer' },
    })
    await createOrganization(parts, { name: 'Later', plan: 'free' }, act())
    expect(await verifyAuditLog(parts)).toMatchObject({ broken: undefined })

    const stored = await source
      .selectFrom('events')
      .innerJoin('service_calls', 'service_calls.id', 'events.call_id')
      .innerJoin('end_users', 'end_users.id', 'events.end_user_id')
      .selectAll()
      .limit(5)
      .execute()
    const records = stored.map((event) => ({
      ts: new Date(event.happened_at).toISOString(),
      end_user_id: event.hash.toString('hex'),
      event: event.event as 'opener_sent',
      idempotency_key: event.idempotency_key
        .toString('hex')
        .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
      context: { originating_request_id: event.request_id },
    }))
    const batch = { scope: { organizationId, environment: 'live' as const }, records }
    expect(await storeEvents(target, batch, NOON)).toEqual({ accepted: 0, duplicates: 5 })
    const newUser = {
      ...records[0]!,
      end_user_id: 'ab'.repeat(32),
      idempotency_key: crypto.randomUUID(),
    }
    expect(await storeEvents(target, { ...batch, records: [newUser] }, NOON)).toMatchObject({
      accepted: 1,
    })
  })

  it('moves events with what deletes them later', async () => {
    await installation.transfer()
    const target = await open(installation.openTarget())
    const { hash } = await target.selectFrom('end_users').select('hash').executeTakeFirstOrThrow()
    const before = await countRows(target, 'event_keys')
    const endUser = {
      organizationId: installation.organizationId,
      environments: ['live'] as const,
      hash: hash.toString('hex'),
    }
    const place = { dataDir: installation.dataDir, postgres: installation.postgres }
    await eraseEndUser({ db: target, secret: installation.secret, place }, endUser, act())
    expect(await countRows(target, 'event_keys')).toBe(await countRows(target, 'events'))
    expect(await countRows(target, 'event_keys')).toBeLessThan(before)
  })

  it('changes nothing in the data folder', async () => {
    const file = databaseFile(installation.dataDir)
    const before = await fs.readFile(file)
    await installation.transfer()
    expect(before.equals(await fs.readFile(file))).toBe(true)
    const names = (await fs.readdir(installation.dataDir)).filter((name) => name !== 'server.lock')
    expect(names.toSorted()).toEqual(['plans.json', 'server-secret', 'service.db'])
  })

  it('lets no command change the data folder meanwhile', async () => {
    const file = databaseFile(installation.dataDir)
    const other = new BetterSqlite3(file, { timeout: 0 })
    const refusals = new Set<string>()
    await installation.transfer(() => {
      try {
        other.exec('begin immediate; rollback')
      } catch (error) {
        refusals.add((error as { code: string }).code)
      }
    })
    other.close()
    expect([...refusals]).toEqual(['SQLITE_BUSY'])
  })

  it('continues as often as it is interrupted, and then has moved the same', async () => {
    let runs = 0
    for (let isDone = false; !isDone; runs++) {
      let steps = 0
      let before: number | undefined
      const stopEarly = ({ phase, doneRows }: { phase: string; doneRows: number }) => {
        if (phase !== 'moving') return
        if (doneRows > (before ?? doneRows) && ++steps === 7) throw new Error('killed')
        before = doneRows
      }
      isDone = await installation.transfer(stopEarly).then(
        ({ outcome }) => outcome === 'continued',
        (error: Error) => {
          if (error.message !== 'killed') throw error
          return false
        },
      )
      if (isDone) break
      await expect(installation.openTarget()).rejects.toBeInstanceOf(UnfinishedTransferError)
    }
    expect(runs).toBeGreaterThan(3)
    const { source, target } = await describeBoth()
    expect(target).toEqual(source)
  })

  it('can be interrupted before it is compared, and is compared then', async () => {
    const stop = ({ phase, table }: { phase: string; table: string }) => {
      if (phase === 'comparing' && table === 'end_users') throw new Error('killed')
    }
    await expect(installation.transfer(stop)).rejects.toThrow('killed')
    await expect(installation.openTarget()).rejects.toBeInstanceOf(UnfinishedTransferError)
    expect(await checkPostgres(installation.postgres)).toMatchObject({ status: 'failed' })
    expect((await installation.transfer()).outcome).toBe('continued')
    expect(await checkPostgres(installation.postgres)).toMatchObject({ status: 'ok' })
    await open(installation.openTarget())
  })

  it('says so when everything was moved already, and changes nothing, even beside a server', async () => {
    await installation.transfer()
    const target = await open(installation.openTarget())
    await target.updateTable('organizations').set({ name: 'Renamed' }).execute()
    expect(await installation.transfer()).toMatchObject({
      outcome: 'already-moved',
      finishedAt: NOON,
    })
    expect(await target.selectFrom('organizations').select('name').execute()).toEqual([
      { name: 'Renamed' },
    ])
  })

  it('reports what differs, and keeps servers from starting on it', async () => {
    const tamper = async () => {
      const { url } = installation.postgres
      const { default: pg } = await import('pg')
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query(`update usage_days set requests = requests + 1
        where (scope_id, day, capability, outcome, latency_bucket) =
          (select scope_id, day, capability, outcome, latency_bucket from usage_days limit 1)`)
      await client.query(`update accounts set sign_in_name = 'intruder'`)
      await client.end()
    }
    const stop = ({ phase }: { phase: string }) => {
      if (phase === 'comparing') throw new Error('killed')
    }
    await expect(installation.transfer(stop)).rejects.toThrow('killed')
    await tamper()
    const continued = installation.transfer()
    await expect(continued).rejects.toThrow('sum of usage_days.requests')
    await expect(continued).rejects.toThrow('rows of accounts')
    await expect(installation.openTarget()).rejects.toBeInstanceOf(UnfinishedTransferError)
  })
})

describeOnPostgres('a transfer is refused', () => {
  beforeEach(async () => {
    installation = await createInstallation({ eventCount: 100 })
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((db) => db.destroy()))
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

describeOnPostgres('the command', () => {
  beforeEach(async () => {
    installation = await createInstallation({ eventCount: 20_000 })
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((db) => db.destroy()))
    await installation.remove()
  })

  const start = () =>
    spawn(process.execPath, ['dist/main.js', 'admin', 'migrate-to-postgres', '--json'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ENV_FILE: '',
        DATA_DIR: installation.dataDir,
        DATABASE_URL: installation.postgres.url,
        SERVER_SECRET_FILE: path.join(installation.dataDir, 'server-secret'),
      },
    })

  it('continues after SIGKILL, and shows how far it is', async () => {
    const killed = start()
    let lines = ''
    killed.stderr.setEncoding('utf8').on('data', (text: string) => {
      lines += text
      if (/^moving events/m.test(lines)) killed.kill('SIGKILL')
    })
    const [, signal] = (await once(killed, 'exit')) as [number | null, string | null]
    expect(signal).toBe('SIGKILL')
    expect(lines).toMatch(/^moving .* rows\): \d0 %, about \d+ (?:s|min) left$/m)
    await expect(installation.openTarget()).rejects.toBeInstanceOf(UnfinishedTransferError)

    const again = start()
    let printed = ''
    again.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
    expect(await once(again, 'exit')).toEqual([0, null])
    expect(JSON.parse(printed)).toMatchObject({ outcome: 'continued', audit: { broken_at: null } })
    const { source, target } = await describeBoth()
    expect(target).toEqual(source)
  })
})
