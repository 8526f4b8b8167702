import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { EventRecord } from '../../src/events/events-contract.js'
import { replyRateByStyle } from '../../src/events/reply-rate-by-style.js'
import { weeklyRetention } from '../../src/events/weekly-retention.js'
import { DAY, LIVE, NOW, openEventStore, reply, sent, type EventStore } from './_event-store.js'

const BATCHES = 6
const BATCH_SIZE = 40

let store: EventStore

beforeEach(async () => {
  store = await openEventStore()
})

afterEach(() => store.remove())

/** Stores batches in a process of their own; gives how many it acknowledged and what ended it. */
async function report(batches: readonly (readonly EventRecord[])[], fatalQuery: number) {
  const script = path.resolve('test/events/_reporting-process.mjs')
  const child = spawn(process.execPath, [script, store.dataDir, String(fatalQuery)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  child.stdin.end(JSON.stringify({ scope: LIVE, now: NOW, batches }))
  const output = await text(child.stdout)
  const [, signal] = (await exit) as [number | null, NodeJS.Signals | null]
  return { acknowledged: output.split('\n').filter(Boolean).length, signal }
}

/** Every opener of the batch is sent on the first day and replied to by another end user. */
function inventBatches(requests: readonly string[]): EventRecord[][] {
  return requests.map((request, batch) =>
    Array.from({ length: BATCH_SIZE }, (_, index) => {
      const what = { request, opener: index % 2, user: `user ${batch} ${index}` }
      return index < 2 ? sent(what) : reply(what)
    }),
  )
}

async function countStored() {
  const { count } = await store.db
    .selectFrom('events')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const rates = await replyRateByStyle(store.db, { ...LIVE, from: NOW, to: NOW + 1 })
  const cohorts = await weeklyRetention(store.db, { ...LIVE, from: NOW, to: NOW + DAY, now: NOW })
  return {
    events: count,
    sent: rates.reduce((sum, style) => sum + style.sent, 0),
    replied: rates.reduce((sum, style) => sum + style.replied, 0),
    users: cohorts[0]?.users ?? 0,
  }
}

describe('a server that is killed while it stores events', () => {
  // A batch takes some 13 queries, so that steps of 7 meet each of its phases.
  it.each([5, 12, 19, 26, 33, 40, 47, 54, 61, 68])(
    'keeps every acknowledged batch, and no part of another (killed before query %d)',
    async (fatalQuery) => {
      const requests = Array.from({ length: BATCHES }, (_, index) => `req_${index}`)
      for (const request of requests) {
        await store.openersCall(request, ['open_question', 'photo_callback'])
      }
      const batches = inventBatches(requests)
      const { acknowledged, signal } = await report(batches, fatalQuery)
      expect(signal).toBe('SIGKILL')
      const stored = await countStored()
      const whole = stored.events / BATCH_SIZE
      // One more may be stored than was told: it died between the commit and the answer.
      expect([acknowledged, acknowledged + 1]).toContain(whole)
      const counts = (n: number) => ({
        events: n * BATCH_SIZE,
        sent: n * 2,
        replied: n * 2,
        users: n * BATCH_SIZE,
      })
      expect(stored).toEqual(counts(whole))

      // The partner sends again what was not acknowledged, and counts what it sent.
      for (const batch of batches.slice(acknowledged)) await store.store(batch)
      expect(await countStored()).toEqual(counts(BATCHES))
    },
  )

  it('acknowledges all when nothing kills it', async () => {
    await store.openersCall('req_0', ['open_question', 'photo_callback'])
    const { acknowledged, signal } = await report(inventBatches(['req_0']), 0)
    expect({ acknowledged, signal }).toEqual({ acknowledged: 1, signal: null })
    expect(await countStored()).toMatchObject({ events: BATCH_SIZE })
  })
})
