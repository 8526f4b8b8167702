import fs from 'node:fs/promises'
import BetterSqlite3 from 'better-sqlite3'
import { eraseEndUser } from '../../src/data-rights/erase-end-user.js'
import { databaseFile } from '../../src/database/open-database.js'
import { storeEvents } from '../../src/events/store-events.js'
import { createOrganization } from '../../src/organizations/organization.js'
import { verifyAuditLog } from '../../src/organizations/verify-audit-log.js'
import { MOVED_TABLES } from '../../src/transfer/moved-tables.js'
import { describeOnPostgres } from '../_database.js'
import { act, NOON } from '../organizations/_storage.js'
import { closeOpened, countRows, describeBoth, open } from './_both-databases.js'
import {
  callOnce,
  createInstallation,
  removeTemplates,
  type Installation,
} from './_installation.js'

let installation: Installation

afterAll(removeTemplates)

describeOnPostgres('moving an installation', () => {
  beforeEach(async () => {
    installation = await createInstallation()
  })
  afterEach(async () => {
    await closeOpened()
    await installation.remove()
  })

  it('moves every table, so that reports, keys, sessions and quotas are the same', async () => {
    const report = await installation.transfer()
    expect(report.outcome).toBe('moved')
    expect([...report.tables.keys()]).toEqual(MOVED_TABLES.map(({ table }) => table))
    for (const [table, { rows }] of report.tables) expect([table, rows > 0]).toEqual([table, true])
    expect(report.audit).toMatchObject({ broken: undefined, erased: expect.any(Number) })
    expect(report.audit!.erased).toBeGreaterThan(0)
    const { source, target } = await describeBoth(installation)
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

  it('moves an audit log that was tampered with as it is, and says so', async () => {
    const source = await installation.openSource()
    const { id } = await source
      .selectFrom('audit_log')
      .select('id')
      .orderBy('id')
      .executeTakeFirstOrThrow()
    await source.updateTable('audit_log').set({ actor: 'nobody' }).where('id', '=', id).execute()
    await source.destroy()
    const { outcome, audit } = await installation.transfer()
    expect({ outcome, broken: audit?.broken?.id }).toEqual({ outcome: 'moved', broken: id })
  })
})
