import fs from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { ORGANIZATION_TABLES } from '../../src/data-rights/organization-tables.js'
import { OperatorError } from '../../src/core/operator-error.js'
import { describeOnPostgres, describeOnSqlite, isOnPostgres } from '../_database.js'
import { startTwoPartners, type Partner, type TwoPartners } from './_two-partners.js'

let partners: TwoPartners

beforeEach(async () => {
  partners = await startTwoPartners()
})
afterEach(() => partners.service.close())

/** Counts the rows of an organisation in each table. */
async function countRows({ organizationId }: Partner): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  await partners.service.context.usage.flush()
  for (const { table, ownedBy } of ORGANIZATION_TABLES) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(table)} where ${ownedBy(organizationId)}
    `.execute(partners.service.context.db)
    counts[table] = rows[0]?.count ?? 0
  }
  return counts
}

/** Returns the names of the canaries that occur in any database file. */
async function findInFiles(canaries: Record<string, Buffer>): Promise<string[]> {
  const { dataDir } = partners.service.context.config
  const files = (await fs.readdir(dataDir)).filter((name) => name.startsWith('service.db'))
  const contents = await Promise.all(files.map((name) => fs.readFile(path.join(dataDir, name))))
  return Object.entries(canaries)
    .filter(([, bytes]) => contents.some((content) => content.includes(bytes)))
    .map(([what]) => what)
}

const makeCanaries = ({ name, endUser, requestId }: Partner) => ({
  name: Buffer.from(name),
  'end user': Buffer.from(endUser, 'hex'),
  'request id': Buffer.from(requestId),
})

describe('org delete', () => {
  it('deletes all data of a partner beside a running service, and nothing of another', async () => {
    const { leaving, staying, admin, send } = partners
    const before = await countRows(staying)
    expect(await countRows(leaving)).toMatchObject({ events: 1, service_calls: 1, api_keys: 1 })
    expect(before).toMatchObject({ events: 1, service_calls: 1, idempotency_records: 1 })

    await admin(['org', 'delete', leaving.name, '--yes'])

    const { audit_log, ...rest } = await countRows(leaving)
    expect(Object.values(rest).every((count) => count === 0)).toBe(true)
    expect(audit_log).toBe(1)
    expect(await countRows(staying)).toEqual(before)
    expect([await send(leaving), await send(staying)]).toEqual([401, 200])
    // PostgreSQL checks references with every statement.
    if (isOnPostgres) return
    const { rows } = await sql`pragma foreign_key_check`.execute(partners.service.context.db)
    expect(rows).toEqual([])
  })

  it('asks for the name, and deletes nothing if it differs', async () => {
    const { leaving, staying, admin, send } = partners
    const refused = admin(['org', 'delete', leaving.name], staying.name)
    await expect(refused).rejects.toBeInstanceOf(OperatorError)
    expect(await send(leaving)).toBe(200)
    await admin(['org', 'delete', leaving.name], leaving.name)
    expect(await send(leaving)).toBe(401)
  })
})

describeOnPostgres('the keys of events', () => {
  it('go with the events of a deleted organisation', async () => {
    const { leaving, admin, service } = partners
    const countKeys = async () => {
      const { rows } = await sql`select scope_id from event_keys`.execute(service.context.db)
      return rows.length
    }
    expect(await countKeys()).toBe(2)
    await admin(['org', 'delete', leaving.name, '--yes'])
    expect(await countKeys()).toBe(1)
  })
})

describeOnSqlite('the files after org delete', () => {
  it('hold no trace of the partner', async () => {
    const { leaving, staying, admin } = partners
    expect(await findInFiles(makeCanaries(leaving))).toHaveLength(3)
    await admin(['org', 'delete', leaving.organizationId, '--yes'])
    expect(await findInFiles(makeCanaries(leaving))).toEqual([])
    expect(await findInFiles(makeCanaries(staying))).toHaveLength(3)
  })
})

describe('org export', () => {
  it('exports all data of a partner and nothing of another, without secrets', async () => {
    const { leaving, staying, admin, service } = partners
    const folder = path.join(service.context.config.dataDir, 'export')
    const counts = await countRows(leaving)
    await admin(['org', 'export', leaving.name, folder])
    const read = (name: string) => fs.readFile(path.join(folder, name), 'utf8')
    const manifest = JSON.parse(await read('manifest.json')) as {
      files: { name: string; rows: number }[]
    }
    const rows = manifest.files.map((file) => [file.name.replace('.jsonl', ''), file.rows])
    expect(Object.fromEntries(rows)).toEqual(counts)
    const all = (await Promise.all((await fs.readdir(folder)).map(read))).join('\n')
    for (const own of [leaving.endUser, leaving.requestId, leaving.name]) {
      expect(all).toContain(own)
    }
    const foreign = [staying.endUser, staying.requestId, staying.name]
    for (const text of [...foreign, leaving.apiKey, 'secret_hash']) expect(all).not.toContain(text)
    expect(JSON.parse((await read('events.jsonl')).split('\n')[0]!)).toMatchObject({
      event: 'opener_sent',
      happened_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    })
    const usage = JSON.parse((await read('quota_usage.jsonl')).split('\n')[0]!) as object
    expect(Object.keys(usage).at(-1)).toBe('used')
    expect(usage).toMatchObject({ used: 1 })
    const again = admin(['org', 'export', leaving.name, folder])
    await expect(again).rejects.toBeInstanceOf(OperatorError)
  })
})

describe('end-user delete', () => {
  it('deletes an end user of one partner, and on SQLite leaves no trace in the files', async () => {
    const { leaving, staying, admin } = partners
    const hash = leaving.endUser.toUpperCase()
    const printed = await admin(['end-user', 'delete', leaving.name, hash, '--json'])
    expect(JSON.parse(printed)).toEqual([{ environment: 'test', events: 1, weeks: 1 }])
    expect(await countRows(leaving)).toMatchObject({ events: 0, end_users: 0 })
    expect(await findInFiles({ user: Buffer.from(leaving.endUser, 'hex') })).toEqual([])
    expect(await countRows(staying)).toMatchObject({ events: 1, end_users: 1 })
    await expect(admin(['end-user', 'delete', leaving.name, hash])).rejects.toThrow('no such')
  })
})
