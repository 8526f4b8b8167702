import { deleteEndUser } from '../../src/data-rights/delete-end-user.js'
import { openErasureConnection } from '../../src/database/erasure-connection.js'
import type { Database } from '../../src/database/open-database.js'
import type { EventRecord } from '../../src/events/events-contract.js'
import { replyRateByStyle } from '../../src/events/reply-rate-by-style.js'
import { weeklyRetention } from '../../src/events/weekly-retention.js'
import type { Style } from '../../src/openers/styles.js'
import {
  DAY,
  LIVE,
  NOW,
  openEventStore,
  reply,
  sent,
  WEEK,
  type EventStore,
} from '../events/_event-store.js'
import { naiveReplyCounts, naiveRetention } from '../events/_naive-analytics.js'

const STYLES: Style[] = ['open_question', 'photo_callback', 'shared_interest']
const REQUESTS = ['req_1', 'req_2', 'req_3', 'req_4', 'req_5', 'req_6']

let store: EventStore
let erasing: Database

beforeEach(async () => {
  store = await openEventStore()
  erasing = await openErasureConnection(store)
})
afterEach(async () => {
  await erasing.destroy()
  await store.remove()
})

/** Generates pseudo-random events of four end users about six calls from a seed. */
function inventEvents(seed: number): EventRecord[] {
  let state = seed
  const pick = <T>(list: readonly T[]) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return list[Math.floor(state / 65_536) % list.length]!
  }
  return Array.from({ length: 60 }, () => {
    const what = {
      request: pick(REQUESTS),
      user: pick(['ann', 'bob', 'cem', 'dee']),
      opener: pick([0, 1, 2, undefined]),
      at: NOW - pick([0, 1, 2, 3, 4, 5]) * WEEK - pick([0, 1, 2]) * DAY,
    }
    return pick([sent, reply])(what)
  })
}

async function analytics() {
  const range = { ...LIVE, from: NOW - 20 * WEEK, to: NOW + DAY }
  const rates = await replyRateByStyle(store.db, range)
  const cohorts = await weeklyRetention(store.db, { ...range, now: NOW })
  return {
    rates: rates
      .filter((rate) => rate.sent > 0)
      .map((rate) => [rate.style, rate.sent, rate.replied]),
    cohorts: cohorts.map(({ active }) => active.filter((count) => count > 0)),
  }
}

function naiveAnalytics(events: readonly EventRecord[]) {
  const calls = new Map(REQUESTS.map((id) => [id, { tone: 'playful' as const, styles: STYLES }]))
  const counts = naiveReplyCounts(events, calls, { days: [0, 1_000_000] })
  const byWeek = ([left]: [number, unknown], [right]: [number, unknown]) => left - right
  return {
    rates: STYLES.flatMap((style) => {
      const count = counts[style]
      if (!count) return []
      return [[style, expect.closeTo(count.sent, 6), expect.closeTo(count.replied, 6)]]
    }),
    cohorts: [...naiveRetention(events)]
      .sort(byWeek)
      .map(([, weeks]) => [...weeks].sort(byWeek).map(([, users]) => users)),
  }
}

describe('deleteEndUser', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'leaves the analytics as if the end user had never existed (example %d)',
    async (seed) => {
      for (const request of REQUESTS) await store.openersCall(request, STYLES)
      const events = inventEvents(seed)
      await store.store(events)
      expect(await analytics()).toEqual(naiveAnalytics(events))

      const deletedUser = events[0]!.end_user_id
      const rest = events.filter((event) => event.end_user_id !== deletedUser)
      const deleted = await deleteEndUser(erasing, LIVE, deletedUser)
      expect(deleted?.events).toBe(events.length - rest.length)
      expect(await analytics()).toEqual(naiveAnalytics(rest))

      // The user may return as a new user.
      const returning = { ...events[0]!, idempotency_key: '7e1f4c52-0a3b-4f3e-9d63-0d5f0a3c9b11' }
      await store.store([returning])
      expect(await analytics()).toEqual(naiveAnalytics([...rest, returning]))
    },
  )

  it('returns undefined for an unknown end user', async () => {
    expect(await deleteEndUser(erasing, LIVE, 'a'.repeat(64))).toBeUndefined()
  })
})
