import fc from 'fast-check'
import { deleteEndUser } from '../../src/data-rights/delete-end-user.js'
import { openErasureConnection } from '../../src/database/erasure-connection.js'
import type { EventRecord } from '../../src/events/events-contract.js'
import { dayOf } from '../../src/events/calendar.js'
import { fitEnvironment } from '../../src/learning/fit-environment.js'
import { DEFAULT_SETTINGS } from '../../src/learning/learning-settings.js'
import { recomputeEvidence } from '../../src/learning/recompute-evidence.js'
import { ARMS } from '../../src/openers/opener-policy.js'
import { OPENER_DETAILS } from '../../src/openers/opener-traits.js'
import { STYLES, TONES, type Style } from '../../src/openers/styles.js'
import {
  DAY,
  eventRecord,
  LIVE,
  NOW,
  openEventStore,
  OTHER,
  reply,
  sent,
  type EventStore,
} from '../events/_event-store.js'
import { readCounts, recordLearningCall, type CallSketch } from './_learning-calls.js'

const STYLE_NAMES = Object.keys(STYLES) as Style[]

let store: EventStore

beforeEach(async () => {
  store = await openEventStore()
})
afterEach(() => store.remove())

const aCall = fc.record({
  tone: fc.constantFrom(...TONES),
  styles: fc.array(fc.constantFrom(...STYLE_NAMES), { minLength: 1, maxLength: 5 }),
  arm: fc.constantFrom(...ARMS),
  bucket: fc.nat(9),
  isQuestion: fc.boolean(),
  detail: fc.constantFrom(...OPENER_DETAILS),
  score: fc.option(fc.double({ min: 0.01, max: 0.99, noNaN: true })),
})
const CALLS = 4
const anEvent = fc.record({
  call: fc.nat(CALLS - 1),
  event: fc.constantFrom('opener_sent' as const, 'conversation_reply' as const),
  daysAgo: fc.integer({ min: 5, max: 20 }),
  opener: fc.option(fc.nat(4), { nil: undefined }),
  user: fc.constantFrom('ann', 'bob', 'cem'),
})

/** Calls, their events, and two ways in which the events arrive: order, repetitions and sizes of batches. */
const aHistory = fc
  .record({
    calls: fc.array(aCall, { minLength: CALLS, maxLength: CALLS }),
    events: fc.array(anEvent, { minLength: 1, maxLength: 40 }),
  })
  .chain(({ calls, events }) => {
    const indices = events.map((_event, index) => index)
    const arrival = fc.record({
      order: fc.shuffledSubarray([...indices, ...indices], {
        minLength: indices.length * 2,
        maxLength: indices.length * 2,
      }),
      batch: fc.integer({ min: 1, max: 30 }),
    })
    return fc.record({
      calls: fc.constant(calls),
      events: fc.constant(events),
      arrivals: fc.tuple(arrival, arrival),
    })
  })

type History = typeof aHistory extends fc.Arbitrary<infer T> ? T : never

let run = 0

/** Stores a history in one scope; each scope has its own request ids. */
async function play(
  { calls, events }: History,
  scope: typeof LIVE,
  arrival: History['arrivals'][0],
) {
  const prefix = `req_${run++}_`
  for (const [index, call] of calls.entries()) {
    const sketch: CallSketch = { ...call, requestId: `${prefix}${index}`, scope }
    await recordLearningCall(store.db, sketch)
  }
  const records = events.map(({ call, event, daysAgo, opener, user }, index): EventRecord => {
    const written = calls[call]!.styles.length
    const at = NOW - daysAgo * DAY
    const key = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
    const named = opener === undefined ? undefined : opener % written
    return eventRecord({ event, at, opener: named, user, request: `${prefix}${call}`, key })
  })
  const arriving = arrival.order.map((index) => records[index]!)
  for (let at = 0; at < arriving.length; at += arrival.batch) {
    await store.store(arriving.slice(at, at + arrival.batch), scope)
  }
}

async function countsOf(scope: typeof LIVE) {
  const counts = await readCounts(store.db, scope)
  const withoutScope = ({ scope_id: _scope, ...rest }: { scope_id: number }) => rest
  return { evidence: counts.evidence.map(withoutScope), buckets: counts.buckets.map(withoutScope) }
}

async function meanOf(scope: typeof LIVE): Promise<number[]> {
  const fit = { scope, settings: DEFAULT_SETTINGS, today: dayOf(NOW), isPooled: false }
  return [...(await fitEnvironment(store.db, fit)).mean]
}

async function damageCounts(): Promise<void> {
  await store.db
    .updateTable('learning_evidence')
    .set((row) => ({ sent: row('sent', '+', 7) }))
    .execute()
  await store.db.deleteFrom('learning_buckets').execute()
}

async function clear(): Promise<void> {
  for (const table of [
    'events',
    'opener_outcomes',
    'learning_evidence',
    'learning_buckets',
    'reply_rate_days',
    'service_calls',
  ] as const) {
    await store.db.deleteFrom(table).execute()
  }
}

describe('the counts of the learner', () => {
  it('are the same in whatever order and batches events arrive, and when computed again', async () => {
    await fc.assert(
      fc.asyncProperty(aHistory, async (history) => {
        await clear()
        await play(history, LIVE, history.arrivals[0])
        await play(history, OTHER, history.arrivals[1])
        const incremental = await countsOf(LIVE)
        expect(await countsOf(OTHER)).toEqual(incremental)
        expect(await recomputeEvidence(store.db, LIVE)).toMatchObject({ corrected: 0 })

        const mean = await meanOf(LIVE)
        await damageCounts()
        await recomputeEvidence(store.db, LIVE)
        expect(await countsOf(LIVE)).toEqual(incremental)
        for (const [index, value] of (await meanOf(LIVE)).entries()) {
          expect(Math.abs(value - mean[index]!)).toBeLessThanOrEqual(1e-9)
        }
      }),
      { numRuns: 40, seed: 27 },
    )
  }, 60_000)

  it('are those without an end user after the end user is deleted', async () => {
    await recordLearningCall(store.db, { requestId: 'req_1', styles: STYLE_NAMES })
    const kept = [sent({ opener: 1, user: 'bob', at: NOW - 9 * DAY })]
    const deleted = [
      sent({ opener: 0, user: 'ann', at: NOW - 9 * DAY }),
      reply({ opener: 1, user: 'ann', at: NOW - 8 * DAY }),
    ]
    await store.store([...kept, ...deleted])
    const erasing = await openErasureConnection(store)
    await deleteEndUser(erasing, LIVE, deleted[0]!.end_user_id)
    await erasing.destroy()
    const { evidence, buckets } = await readCounts(store.db)
    expect(evidence).toMatchObject([{ style: STYLE_NAMES[1], sent: 60, replied: 0 }])
    expect(buckets).toMatchObject([{ sent: 60, replied: 0 }])
    expect(await recomputeEvidence(store.db, LIVE)).toEqual({ calls: 1, corrected: 0 })
  })

  it('stay without what was sent before a reset when they are computed again', async () => {
    await recordLearningCall(store.db, { requestId: 'req_1' })
    await store.store([sent({ opener: 0, at: NOW - 9 * DAY })])
    await store.db
      .insertInto('learning_settings')
      .values({
        scope_id: 1,
        state: 'on',
        control_percent: 10,
        learns_from_day: dayOf(NOW) + 1,
      })
      .execute()
    await store.db.deleteFrom('learning_evidence').execute()
    await store.db.deleteFrom('learning_buckets').execute()
    expect(await recomputeEvidence(store.db, LIVE)).toEqual({ calls: 1, corrected: 0 })
    expect(await readCounts(store.db)).toEqual({ evidence: [], buckets: [] })
  })

  it('are corrected while events arrive', async () => {
    await recordLearningCall(store.db, { requestId: 'req_1', styles: ['open_question'] })
    await recordLearningCall(store.db, { requestId: 'req_2', styles: ['open_question'] })
    await store.store([sent({ opener: 0, at: NOW - 9 * DAY })])
    await damageCounts()
    const arriving = store.store([sent({ request: 'req_2', opener: 0, at: NOW - 9 * DAY })])
    await Promise.all([recomputeEvidence(store.db, LIVE), arriving])
    expect((await readCounts(store.db)).evidence).toMatchObject([{ sent: 120 }])
    expect((await readCounts(store.db)).buckets).toMatchObject([{ sent: 120 }])
  })
})
