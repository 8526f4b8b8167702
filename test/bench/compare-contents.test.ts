import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { openDatabase, type Database } from '../../src/database/open-database.js'
import { storeEvents } from '../../src/events/store-events.js'
import { compareContents } from '../../src/tools/bench/events/compare-contents.js'
import {
  createReportedYear,
  insertReportedCalls,
} from '../../src/tools/bench/events/reported-year.js'
import { SCOPE } from '../../src/tools/bench/events/synthetic-events.js'
import { seededRandom } from '../../src/core/seeded-random.js'
import { shuffle } from '../../src/tools/statistics/shuffle.js'
import { dropTestDatabase, openTestDatabase } from '../_database.js'

const NOW = Date.UTC(2026, 6, 1)
const { calls, events } = createReportedYear(400, 7, NOW)
const [sentLater] = events

let folder: string
let sqlite: Database
/** On PostgreSQL when the tests run there. */
let other: Database

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'compare-contents-'))
  sqlite = await openDatabase(path.join(folder, 'sqlite'))
  other = await openTestDatabase(path.join(folder, 'other'))
  for (const db of [sqlite, other]) {
    const organization = { id: SCOPE.organizationId, name: 'Partner', plan: 'free', created_at: 0 }
    await db.insertInto('organizations').values(organization).execute()
    await insertReportedCalls(db, SCOPE, calls)
  }
})
afterEach(async () => {
  await sqlite.destroy()
  await other.destroy()
  await dropTestDatabase(path.join(folder, 'other'))
  await rm(folder, { recursive: true })
})

async function store(db: Database, records: typeof events): Promise<void> {
  for (let start = 0; start < records.length; start += 50) {
    await storeEvents(db, { scope: SCOPE, records: records.slice(start, start + 50) }, NOW)
  }
}

const differing = async () =>
  (await compareContents(sqlite, other)).filter(({ difference }) => difference !== undefined)

describe('compareContents', () => {
  it('finds equal what was stored twice and in another order', async () => {
    await store(sqlite, events)
    await store(other, shuffle(events, seededRandom(1)))
    await store(other, shuffle(events, seededRandom(2)))
    const compared = await compareContents(sqlite, other)
    expect(compared.filter(({ difference }) => difference !== undefined)).toEqual([])
    expect(compared.every(({ rows }) => rows > 0)).toBe(true)
  })

  it('finds an event that only one of them has', async () => {
    await store(sqlite, events)
    await store(other, events.slice(1))
    const found = await differing()
    expect(found.map(({ table }) => table)).toContain('events')
    const key = sentLater!.idempotency_key.replaceAll('-', '')
    expect(found.find(({ table }) => table === 'events')?.difference).toContain(key)
  })

  it('finds a count that is wrong in one of them', async () => {
    await store(sqlite, events)
    await store(other, events)
    await other
      .updateTable('reply_rate_days')
      .set(({ eb }) => ({ replied: eb('replied', '+', 60) }))
      .execute()
    expect((await differing()).map(({ table }) => table)).toEqual(['reply_rate_days'])
  })
})
