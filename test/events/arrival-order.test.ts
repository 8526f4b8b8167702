import type { EventScope } from '../../src/events/event-scope.js'
import type { EventRecord } from '../../src/events/events-contract.js'
import { recordCall } from '../../src/events/record-call.js'
import { replyRateByStyle } from '../../src/events/reply-rate-by-style.js'
import { weeklyRetention } from '../../src/events/weekly-retention.js'
import { STYLES, TONES, type Style } from '../../src/openers/styles.js'
import {
  DAY,
  eventRecord,
  LIVE,
  NOW,
  openEventStore,
  OTHER,
  WEEK,
  type EventStore,
} from './_event-store.js'
import { mondayOf, naiveReplyCounts, naiveRetention, type KnownCall } from './_naive-analytics.js'

const CALLS = 12
const EVENTS = 160
const SEEDS = Array.from({ length: 12 }, (_, index) => index + 1)

let store: EventStore

beforeEach(async () => {
  store = await openEventStore()
})

afterEach(() => store.remove())

/** Mulberry32: a seeded generator of integers in [0, bound). */
function createRandom(seed: number): (bound: number) => number {
  let state = seed
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound)
  }
}

type Random = ReturnType<typeof createRandom>

async function recordCalls(scope: EventScope, random: Random): Promise<Map<string, KnownCall>> {
  const calls = new Map<string, KnownCall>()
  const all = Object.keys(STYLES) as Style[]
  for (let index = 0; index < CALLS; index++) {
    const requestId = `req_${scope.organizationId.slice(4)}${index}`
    const tone = TONES[random(TONES.length)]!
    // Styles may repeat within a call.
    const styles = Array.from({ length: 1 + random(5) }, () => all[random(all.length)]!)
    calls.set(requestId, { tone, styles })
    const openers = styles.map((style) => ({ style, length: 10 }))
    const call = {
      requestId,
      capability: 'conversation.openers' as const,
      createdAt: NOW - 13 * WEEK,
    }
    await recordCall(store.db, { ...scope, ...call, written: { tone, openers } })
  }
  return calls
}

/** Events of few end users and openers, so that they overlap often; one in six comes twice. */
function inventEvents(calls: ReadonlyMap<string, KnownCall>, random: Random): EventRecord[] {
  const events = Array.from({ length: EVENTS }, (_, index) => {
    const [request, call] = [...calls][random(calls.size)]!
    return eventRecord({
      event: random(2) === 0 ? 'opener_sent' : 'conversation_reply',
      at: NOW - random(12 * WEEK),
      user: `user ${random(25)}`,
      request,
      opener: random(3) === 0 ? undefined : random(call.styles.length),
      key: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    })
  })
  return [...events, ...events.filter(() => random(6) === 0)]
}

function shuffle<T>(items: readonly T[], random: Random): T[] {
  const shuffled = [...items]
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = random(last + 1)
    const moved = shuffled[last]!
    shuffled[last] = shuffled[other]!
    shuffled[other] = moved
  }
  return shuffled
}

async function expectSameAsNaive(
  scope: EventScope,
  events: readonly EventRecord[],
  { calls, random }: { calls: ReadonlyMap<string, KnownCall>; random: Random },
): Promise<void> {
  const today = Math.floor(NOW / DAY)
  const from = today - random(12 * 7)
  const to = from + random(40)
  const tone = [...TONES, undefined][random(5)]
  const naive = naiveReplyCounts(events, calls, { days: [from, to], tone })
  const query = { ...scope, from: from * DAY, to: (to + 1) * DAY, tone }
  for (const { style, sent, replied } of await replyRateByStyle(store.db, query)) {
    expect(sent).toBeCloseTo(naive[style]?.sent ?? 0, 9)
    expect(replied).toBeCloseTo(naive[style]?.replied ?? 0, 9)
    expect(replied).toBeLessThanOrEqual(sent)
  }
  const range = { from: NOW - 53 * WEEK, to: NOW + DAY, now: NOW }
  const cohorts = await weeklyRetention(store.db, { ...scope, ...range })
  const known = [...naiveRetention(events)]
    .sort(([left], [right]) => left - right)
    .map(([first, active]) => ({ startsAt: mondayOf(first), active: Object.fromEntries(active) }))
  expect(
    cohorts.map(({ startsAt, active }) => ({
      startsAt,
      active: Object.fromEntries([...active.entries()].filter(([, users]) => users > 0)),
    })),
  ).toEqual(known)
}

describe('analytics', () => {
  it.each(SEEDS)(
    'always match a computation from all events, whatever their order (seed %d)',
    async (seed) => {
      for (const [scope, order] of [
        [LIVE, seed],
        [OTHER, seed + 1_000],
      ] as const) {
        const random = createRandom(order)
        const calls = await recordCalls(scope, random)
        const arriving = shuffle(inventEvents(calls, random), random)
        const distinct = new Map<string, EventRecord>()
        for (let at = 0; at < arriving.length;) {
          const batch = arriving.slice(at, at + 1 + random(60))
          at += batch.length
          const before = distinct.size
          for (const event of batch) distinct.set(event.idempotency_key, event)
          const accepted = distinct.size - before
          const duplicates = batch.length - accepted
          expect(await store.store(batch, scope)).toEqual({ accepted, duplicates })
          await expectSameAsNaive(scope, [...distinct.values()], { calls, random })
        }
      }
    },
  )

  it('do not depend on the order of the same events', async () => {
    const orders = [LIVE, OTHER].map((scope, index) => ({
      scope,
      shuffling: createRandom(index + 7),
    }))
    const results: unknown[] = []
    for (const { scope, shuffling } of orders) {
      const random = createRandom(3)
      const calls = await recordCalls(scope, random)
      const arriving = shuffle(inventEvents(calls, random), shuffling)
      for (let at = 0; at < arriving.length; at += 25) {
        await store.store(arriving.slice(at, at + 25), scope)
      }
      const range = { from: NOW - 53 * WEEK, to: NOW + DAY, now: NOW }
      results.push([
        await replyRateByStyle(store.db, { ...scope, ...range }),
        await weeklyRetention(store.db, { ...scope, ...range }),
      ])
    }
    expect(results[1]).toEqual(results[0])
  })
})
