import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { EventRecord } from '../../src/events/events-contract.js'
import { replyRateByStyle } from '../../src/events/reply-rate-by-style.js'
import { weeklyRetention } from '../../src/events/weekly-retention.js'
import { readCounts, recordLearningCall } from '../learning/_learning-calls.js'
import { DAY, LIVE, NOW, openEventStore, reply, sent, type EventStore } from './_event-store.js'

const BATCHES = 6
const BATCH_SIZE = 40
const STYLES = ['open_question', 'photo_callback'] as const

let store: EventStore

beforeEach(async () => {
  store = await openEventStore()
})

afterEach(() => store.remove())

/** Stores batches in a separate process. Returns how many it acknowledged, and the signal that ended it. */
async function report(batches: readonly (readonly EventRecord[])[], fatalQuery: number) {
  const script = path.resolve('test/events/_reporting-process.mjs')
  const child = spawn(process.execPath, [script, store.dataDir, String(fatalQuery)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  child.stdin.end(JSON.stringify({ postgres: store.postgres, scope: LIVE, now: NOW, batches }))
  const output = await text(child.stdout)
  const [, signal] = (await exit) as [number | null, NodeJS.Signals | null]
  return { acknowledged: output.split('\n').filter(Boolean).length, signal }
}

/** Every opener of the batch is sent on the first day and replied to by another end user. */
function inventBatches(requests: readonly string[]): EventRecord[][] {
  return requests.map((request, batch) =>
    Array.from({ length: BATCH_SIZE }, (_, index) => {
      const sketch = { request, opener: index % 2, user: `user ${batch} ${index}` }
      return index < 2 ? sent(sketch) : reply(sketch)
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
  const learning = await readCounts(store.db)
  return {
    events: count,
    evidence: sumOf(learning.evidence),
    buckets: sumOf(learning.buckets),
    sent: rates.reduce((sum, style) => sum + style.sent, 0),
    replied: rates.reduce((sum, style) => sum + style.replied, 0),
    users: cohorts[0]?.users ?? 0,
  }
}

/** Openers sent and replied to. */
function sumOf(rows: readonly { sent: number; replied: number }[]) {
  const sum = (count: 'sent' | 'replied') => rows.reduce((total, row) => total + row[count], 0) / 60
  return [sum('sent'), sum('replied')]
}

describe('a server killed while it stores events', () => {
  // A batch takes about 15 queries, so steps of 7 hit each of its phases.
  it.each([5, 12, 19, 26, 33, 40, 47, 54, 61, 68])(
    'keeps every acknowledged batch whole, and no partial batch (killed before query %d)',
    async (fatalQuery) => {
      const requests = Array.from({ length: BATCHES }, (_, index) => `req_${index}`)
      for (const request of requests) {
        await recordLearningCall(store.db, { requestId: request, styles: STYLES })
      }
      const batches = inventBatches(requests)
      const { acknowledged, signal } = await report(batches, fatalQuery)
      expect(signal).toBe('SIGKILL')
      const stored = await countStored()
      const whole = stored.events / BATCH_SIZE
      // One more may be stored than acknowledged: the process died between the commit and the acknowledgement.
      expect([acknowledged, acknowledged + 1]).toContain(whole)
      const counts = (n: number) => ({
        events: n * BATCH_SIZE,
        evidence: [n * 2, n * 2],
        buckets: [n * 2, n * 2],
        sent: n * 2,
        replied: n * 2,
        users: n * BATCH_SIZE,
      })
      expect(stored).toEqual(counts(whole))

      // The partner sends unacknowledged batches again. The counts are then complete.
      for (const batch of batches.slice(acknowledged)) await store.store(batch)
      expect(await countStored()).toEqual(counts(BATCHES))
    },
  )

  it('acknowledges all batches if it is not killed', async () => {
    await recordLearningCall(store.db, { requestId: 'req_0', styles: STYLES })
    const { acknowledged, signal } = await report(inventBatches(['req_0']), 0)
    expect({ acknowledged, signal }).toEqual({ acknowledged: 1, signal: null })
    expect(await countStored()).toMatchObject({ events: BATCH_SIZE })
  })
})
