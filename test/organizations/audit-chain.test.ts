import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { deleteOrganization } from '../../src/data-rights/delete-organization.js'
import { openErasureConnection } from '../../src/database/erasure-connection.js'
import { writeEnd, type AuditDeps } from '../../src/organizations/audit-chain.js'
import { recordAudit, startAuditChain } from '../../src/organizations/audit-log.js'
import { deleteOldEntries } from '../../src/organizations/erase-audit-entries.js'
import { ServerSecret } from '../../src/organizations/server-secret.js'
import { verifyAuditLog } from '../../src/organizations/verify-audit-log.js'
import { openTestDatabase } from '../_database.js'
import { act, DAY, NOON, openStorage, type StorageFixture } from './_storage.js'

let storage: StorageFixture
/** Entry 1 is the creation of the organisation; these follow it. */
const ENTRIES = 5

beforeEach(async () => {
  storage = await openStorage()
  for (let entry = 1; entry <= ENTRIES; entry++) await record('org_a', NOON + entry * DAY)
})
afterEach(() => storage.remove())

async function record(organizationId: string, now: number): Promise<void> {
  const event = { action: 'key.revoked', organizationId, subject: `key_${now}` } as const
  await recordAudit(storage, event, act(now))
}

const verify = () => verifyAuditLog(storage)
const run = (statement: string) => sql.raw(statement).execute(storage.db)

describe('the chain of the audit log', () => {
  it('is whole after ordinary work, and names its head', async () => {
    const verdict = await verify()
    expect(verdict).toMatchObject({ entries: ENTRIES + 1, erased: 0, broken: undefined })
    expect(verdict.head).toMatchObject({ id: ENTRIES + 1 })
  })

  it.each([
    ['changes an entry', `update audit_log set actor = 'cli:else' where id = 3`, 3],
    ['dates an entry back', `update audit_log set at = at - 1 where id = 3`, 3],
    ['deletes an entry', `delete from audit_log where id = 3`, 3],
    [
      'deletes an entry and claims that it was erased',
      `update audit_chain set erasure = hash where id = 3; delete from audit_log where id = 3`,
      3,
    ],
    [
      'deletes an entry with its link',
      `delete from audit_log where id = 3; delete from audit_chain where id = 3`,
      4,
    ],
    [
      'swaps two entries',
      `update audit_log set subject = case id when 3 then (select subject from audit_log where id = 4)
         else (select subject from audit_log where id = 3) end where id in (3, 4)`,
      3,
    ],
    [
      'inserts an entry',
      `insert into audit_log values (99, 1, 'a', 'key.revoked', 'org_a', 'key', '{}')`,
      99,
    ],
    [
      'cuts off the first entries',
      `delete from audit_log where id <= 2; delete from audit_chain where id <= 2`,
      3,
    ],
    [
      'cuts off the latest entries',
      `delete from audit_log where id >= 5; delete from audit_chain where id >= 5`,
      ENTRIES + 1,
    ],
    [
      'removes the record of the end',
      `delete from service_metadata where name = 'audit_head'`,
      ENTRIES + 1,
    ],
  ])('shows where somebody %s', async (_what, statements, id) => {
    for (const statement of statements.split(';')) await run(statement)
    expect((await verify()).broken).toMatchObject({ id })
  })

  it('still shows a cut after further entries', async () => {
    await run('delete from audit_log where id >= 5')
    await run('delete from audit_chain where id >= 5')
    await record('org_a', NOON + 100 * DAY)
    expect((await verify()).broken).toBeDefined()
  })

  it('cannot be computed again without the server secret', async () => {
    const thief = { db: storage.db, secret: new ServerSecret(randomBytes(32)) }
    await run(`update audit_log set actor = 'cli:else' where id = 3`)
    await run('delete from audit_chain')
    await run(`delete from service_metadata where name like 'audit_%'`)
    await startAuditChain(thief, NOON)
    expect((await verify()).broken).toMatchObject({ id: 1 })
  })

  it('stays whole when an organisation is deleted, and takes its entries along', async () => {
    const { organizationId } = storage
    await record(organizationId, NOON + 50 * DAY)
    await record('org_a', NOON + 51 * DAY)
    const db = await openErasureConnection(storage)
    await deleteOrganization({ ...storage, db }, organizationId, act())
    await db.destroy()
    expect(await verify()).toMatchObject({ entries: ENTRIES + 2, erased: 2, broken: undefined })
  })

  it('stays whole when old entries are deleted, even all of them', async () => {
    expect(await deleteOldEntries(storage, NOON + 3 * DAY)).toBe(3)
    expect(await verify()).toMatchObject({ entries: 3, broken: undefined })
    expect(await deleteOldEntries(storage, NOON + 30 * DAY)).toBe(3)
    expect(await verify()).toMatchObject({ entries: 0, broken: undefined })
    await record('org_a', NOON + 31 * DAY)
    expect(await verify()).toMatchObject({ entries: 1, broken: undefined })
  })

  it('does not accept an anchor that somebody else signed', async () => {
    const link = await storage.db
      .selectFrom('audit_chain')
      .select(['id', 'hash'])
      .where('id', '=', 3)
      .executeTakeFirstOrThrow()
    const thief = { db: storage.db, secret: new ServerSecret(randomBytes(32)) }
    await writeEnd(thief, 'audit_anchor', link)
    await run('delete from audit_log where id <= 3')
    await run('delete from audit_chain where id <= 3')
    expect((await verify()).broken).toMatchObject({ id: 4 })
  })

  it('takes up the entries of earlier versions once, and records that', async () => {
    await run('delete from audit_chain')
    await run(`delete from service_metadata where name like 'audit_%'`)
    await startAuditChain(storage, NOON)
    await startAuditChain(storage, NOON)
    expect(await verify()).toMatchObject({ entries: ENTRIES + 2, broken: undefined })
    const last = await storage.db
      .selectFrom('audit_log')
      .select(['action', 'details'])
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(last).toEqual({ action: 'audit.chain_started', details: '{"entries":6}' })
  })

  it('has one line when changes are recorded at the same time, and by other processes', async () => {
    const event = { action: 'key.revoked', organizationId: 'org_a', subject: 'key_1' } as const
    const recordMany = (deps: AuditDeps) =>
      Promise.all(Array.from({ length: 20 }, () => recordAudit(deps, event, act())))
    await recordMany(storage)
    const other = await openTestDatabase(storage.dataDir)
    await recordMany({ ...storage, db: other })
    await other.destroy()
    await recordMany(storage)
    expect(await verify()).toMatchObject({ entries: ENTRIES + 61, broken: undefined })
  })
})
