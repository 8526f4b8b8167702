import { sql } from 'kysely'
import { openErasureConnection } from '../../src/database/erasure-connection.js'
import type { Database } from '../../src/database/open-database.js'
import { listEventPartitions } from '../../src/database/postgres/event-partitions.js'
import { keepPartitionsAhead } from '../../src/database/postgres/keep-partitions-ahead.js'
import { purgePartitions } from '../../src/retention/purge-partitions.js'
import { describeOnPostgres } from '../_database.js'
import { DAY, NOW, openEventStore, sent, type EventStore } from '../events/_event-store.js'

let store: EventStore
let erasing: Database

beforeEach(async () => {
  store = await openEventStore()
  erasing = await openErasureConnection(store)
  await store.openersCall('req_1', ['open_question'])
})
afterEach(async () => {
  await erasing.destroy()
  await store.remove()
})

async function partitions(): Promise<string[]> {
  return (await listEventPartitions(store.db)).map(({ table }) => table)
}

async function counts() {
  const { rows } = await sql<{ events: number; keys: number }>`
    select (select count(*) from events) as events, (select count(*) from event_keys) as keys
  `.execute(store.db)
  return rows[0]
}

const JULY_1 = Date.UTC(2026, 6, 1)

describeOnPostgres('the partitions of events', () => {
  it('are created for the months of the events that arrive', async () => {
    await store.store([sent({ at: NOW }), sent({ at: JULY_1 }), sent({ at: JULY_1 - 1 })])
    expect(await partitions()).toEqual(['events_2026_06', 'events_2026_07'])
  })

  it('are created once by batches of two scopes that arrive at the same time', async () => {
    const months = [1, 2, 3, 4].map((month) => Date.UTC(2026, month))
    const batches = months.map((at) => [sent({ at }), sent({ at: Date.UTC(2026, 5) })])
    await Promise.all(batches.map((batch) => store.store(batch)))
    expect(await partitions()).toHaveLength(5)
    expect(await counts()).toEqual({ events: 8, keys: 8 })
  })

  it('are created ahead, for this month and the next', async () => {
    const fail = (error: unknown) => {
      throw error
    }
    const stop = await keepPartitionsAhead({ db: store.db, clock: () => NOW, onError: fail })
    await stop()
    expect(await partitions()).toEqual(['events_2026_07', 'events_2026_08'])
  })

  it('are dropped once all their events are old; of the month of the cutoff the old events go', async () => {
    const [april, may] = [Date.UTC(2026, 3, 9), Date.UTC(2026, 4, 20)]
    await store.store([april, may, may + DAY, NOW].map((at) => sent({ at })))
    expect(await purgePartitions(erasing, may + 1, { dryRun: true })).toBe(2)
    expect(await purgePartitions(erasing, may + 1, { dryRun: false })).toBe(2)
    expect(await partitions()).toEqual(['events_2026_05', 'events_2026_07'])
    expect(await counts()).toEqual({ events: 2, keys: 2 })
  })

  it('take no key with them of an event that stays', async () => {
    const kept = sent({ at: NOW })
    await store.store([sent({ at: Date.UTC(2026, 3, 9) }), kept])
    await purgePartitions(erasing, JULY_1, { dryRun: false })
    expect(await store.store([kept])).toEqual({ accepted: 0, duplicates: 1 })
  })

  it('find a key again that was stored with another time', async () => {
    const first = sent({ at: Date.UTC(2026, 3, 9) })
    await store.store([first])
    const again = { ...first, ts: new Date(NOW).toISOString() }
    expect(await store.store([again])).toEqual({ accepted: 0, duplicates: 1 })
  })
})
