import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Database } from '../../src/database/open-database.js'
import { prepareQuery } from '../../src/database/prepare-query.js'
import { dropTestDatabase, openTestDatabase } from '../_database.js'

let dataDir: string
let db: Database

beforeEach(async () => {
  dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'prepare-query-'))
  db = await openTestDatabase(dataDir)
})
afterEach(async () => {
  await db.destroy()
  await dropTestDatabase(dataDir)
  await fs.rm(dataDir, { recursive: true })
})

const insert = prepareQuery((db, value: { id: string; name: string; at: number }) =>
  db
    .insertInto('organizations')
    .values({ id: value.id, name: value.name, plan: 'free', created_at: value.at })
    .onConflict((conflict) => conflict.column('name').doNothing()),
)

const find = prepareQuery((db, value: { since: number; plan: string }) =>
  db
    .selectFrom('organizations')
    .select('name')
    .where('plan', '=', value.plan)
    .where('created_at', '>=', value.since)
    .orderBy('name'),
)

describe('prepareQuery', () => {
  it('runs with given values and constants of the query', async () => {
    await insert(db, { id: 'org_1', name: 'One', at: 1 })
    await insert(db, { id: 'org_2', name: 'Two', at: 2 })
    const names = async (since: number, plan = 'free') =>
      (await find(db, { since, plan })).rows.map(({ name }) => name)
    expect(await names(1)).toEqual(['One', 'Two'])
    expect(await names(2)).toEqual(['Two'])
    expect(await names(1, 'scale')).toEqual([])
  })

  it('returns the number of changed rows', async () => {
    const { numAffectedRows: first } = await insert(db, { id: 'org_1', name: 'One', at: 1 })
    const { numAffectedRows: second } = await insert(db, { id: 'org_2', name: 'One', at: 1 })
    expect([first, second]).toEqual([1n, 0n])
  })

  it('runs within a transaction', async () => {
    const undone = db.transaction().execute(async (transaction) => {
      await insert(transaction, { id: 'org_1', name: 'One', at: 1 })
      throw new Undo()
    })
    await expect(undone).rejects.toBeInstanceOf(Undo)
    expect((await find(db, { since: 0, plan: 'free' })).rows).toEqual([])
  })
})

class Undo extends Error {}
