import { recordCall } from '../../src/events/record-call.js'
import { weeklyRetention, type RetentionQuery } from '../../src/events/weekly-retention.js'
import {
  DAY,
  LIVE,
  NOW,
  openEventStore,
  OTHER,
  reply,
  sent,
  TEST,
  WEEK,
  type EventStore,
} from './_event-store.js'

/** Monday of the week that `NOW` is in, 2026-W29. */
const W29 = Date.UTC(2026, 6, 13)

let store: EventStore

beforeEach(async () => {
  store = await openEventStore()
  await store.openersCall('req_1', ['open_question'])
})

afterEach(() => store.remove())

async function retention(query: Partial<RetentionQuery> = {}) {
  const all = { ...LIVE, from: NOW - 365 * DAY, to: NOW + DAY, now: NOW }
  return weeklyRetention(store.db, { ...all, ...query })
}

/** Active end users of each cohort, by its week. */
async function active(query: Partial<RetentionQuery> = {}): Promise<Record<string, number[]>> {
  const cohorts = await retention(query)
  return Object.fromEntries(cohorts.map((cohort) => [cohort.week, cohort.active]))
}

const seen = (user: string, ...weeksAgo: number[]) =>
  weeksAgo.map((weeks) => sent({ user, at: NOW - weeks * WEEK }))

describe('weeklyRetention', () => {
  it('returns the share of each cohort that is active in each week', async () => {
    await store.store([
      ...seen('a', 3, 2, 1, 0),
      ...seen('b', 3, 1),
      ...seen('c', 3),
      ...seen('d', 3, 3, 0),
      ...seen('e', 1, 0),
      ...seen('f', 1),
      ...seen('g', 0),
    ])
    expect(await retention()).toEqual([
      {
        week: '2026-W26',
        startsAt: W29 - 3 * WEEK,
        users: 4,
        active: [4, 1, 2, 2],
        retention: [1, 0.25, 0.5, 0.5],
      },
      { week: '2026-W28', startsAt: W29 - WEEK, users: 2, active: [2, 1], retention: [1, 0.5] },
      { week: '2026-W29', startsAt: W29, users: 1, active: [1], retention: [1] },
    ])
  })

  it('counts replies like sent openers, for any call', async () => {
    const match = { ...LIVE, requestId: 'req_m', createdAt: NOW }
    await recordCall(store.db, { ...match, capability: 'match.evaluate' })
    await store.store([...seen('a', 1), reply({ user: 'a', request: 'req_m' })])
    expect(await active()).toEqual({ '2026-W28': [1, 1] })
  })

  it('ignores the case of the end user hash', async () => {
    const [first, second] = seen('a', 1, 0)
    await store.store([first!])
    await store.store([{ ...second!, end_user_id: second!.end_user_id.toUpperCase() }])
    expect(await active()).toEqual({ '2026-W28': [1, 1] })
  })

  it('starts weeks on Monday, 00:00 UTC', async () => {
    await store.store([sent({ user: 'a', at: W29 - 1 }), sent({ user: 'a', at: W29 })])
    expect(await active()).toEqual({ '2026-W28': [1, 1] })
  })

  it('names weeks at the turn of the year by ISO 8601', async () => {
    await store.store([
      sent({ user: 'a', at: Date.UTC(2021, 0, 3, 23) }),
      sent({ user: 'b', at: Date.UTC(2025, 11, 29) }),
      sent({ user: 'c', at: Date.UTC(2024, 11, 29, 12) }),
    ])
    const cohorts = await active({ from: Date.UTC(2020, 0, 1), weeks: 1 })
    expect(cohorts).toEqual({ '2020-W53': [1], '2024-W52': [1], '2026-W01': [1] })
  })

  it('moves an end user with all its weeks when an earlier event arrives late', async () => {
    await store.store([...seen('a', 2, 0), ...seen('b', 2, 1)])
    expect(await active()).toEqual({ '2026-W27': [2, 1, 1] })
    await store.store(seen('a', 5))
    expect(await active()).toEqual({ '2026-W24': [1, 0, 0, 1, 0, 1], '2026-W27': [1, 1, 0] })
    await store.store(seen('a', 4))
    expect(await active()).toEqual({ '2026-W24': [1, 1, 0, 1, 0, 1], '2026-W27': [1, 1, 0] })
  })

  it('returns the cohorts of every week that overlaps the range', async () => {
    await store.store([...seen('a', 2), ...seen('b', 1), ...seen('c', 0)])
    const weeks = async (from: number, to: number) => Object.keys(await active({ from, to }))
    expect(await weeks(W29 - WEEK, W29)).toEqual(['2026-W28'])
    expect(await weeks(W29 - WEEK - 1, W29 + 1)).toEqual(['2026-W27', '2026-W28', '2026-W29'])
  })

  it('follows a cohort for the given weeks, and never into the future', async () => {
    await store.store(seen('a', 20, 19, 8, 7, 0))
    const weeks = async (query: Partial<RetentionQuery>) => (await active(query))['2026-W09']
    expect(await weeks({})).toHaveLength(13)
    expect(await weeks({ weeks: 3 })).toEqual([1, 1, 0])
    expect(await weeks({ weeks: 53 })).toHaveLength(21)
  })

  it('keeps environments and organisations apart', async () => {
    await store.store(seen('a', 1))
    expect(await active(TEST)).toEqual({})
    expect(await active(OTHER)).toEqual({})
  })
})
