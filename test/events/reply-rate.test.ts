import { replyRateByStyle } from '../../src/events/reply-rate-by-style.js'
import type { ReplyRateQuery } from '../../src/events/select-reply-days.js'
import type { Style } from '../../src/openers/styles.js'
import {
  DAY,
  LIVE,
  NOW,
  openEventStore,
  OTHER,
  reply,
  sent,
  TEST,
  type EventStore,
} from './_event-store.js'

let store: EventStore

beforeEach(async () => {
  store = await openEventStore()
})

afterEach(() => store.remove())

type Counted = Partial<Record<Style, [sent: number, replied: number]>>

/** Sent and replied of the styles that were sent. */
async function counted(query: Partial<ReplyRateQuery> = {}): Promise<Counted> {
  const all = { ...LIVE, from: NOW - 365 * DAY, to: NOW + 365 * DAY }
  const rates = await replyRateByStyle(store.db, { ...all, ...query })
  return Object.fromEntries(
    rates
      .filter((row) => row.sent > 0 || row.replied > 0)
      .map((row) => [row.style, [row.sent, row.replied]]),
  )
}

const THREE: Style[] = ['open_question', 'photo_callback', 'confident_direct']

describe('replyRateByStyle', () => {
  it('returns sent, replied, rate and interval for every style', async () => {
    for (let call = 0; call < 10; call++) {
      const request = `req_${call}`
      await store.openersCall(request, THREE)
      await store.store([
        sent({ request, opener: 0 }),
        ...(call < 6 ? [sent({ request, opener: 1 })] : []),
        ...(call < 4 ? [reply({ request, opener: 0 })] : []),
        ...(call < 3 ? [reply({ request, opener: 1 })] : []),
      ])
    }
    const rates = await replyRateByStyle(store.db, { ...LIVE, from: NOW, to: NOW + 1 })
    // 4 of 10: (0.4 + 0.19207) / 1.38415 ± 1.95996 √(0.024 + 0.0096037) / 1.38415; 3 of 6 likewise.
    expect(rates).toEqual([
      {
        style: 'playful_observation',
        sent: 0,
        replied: 0,
        rate: null,
        interval: null,
      },
      {
        style: 'open_question',
        sent: 10,
        replied: 4,
        rate: 0.4,
        interval: { low: expect.closeTo(0.16818, 4), high: expect.closeTo(0.68733, 4) },
      },
      {
        style: 'photo_callback',
        sent: 6,
        replied: 3,
        rate: 0.5,
        interval: { low: expect.closeTo(0.18761, 4), high: expect.closeTo(0.81239, 4) },
      },
      { style: 'shared_interest', sent: 0, replied: 0, rate: null, interval: null },
      { style: 'confident_direct', sent: 0, replied: 0, rate: null, interval: null },
    ])
  })

  it('is empty for an organisation without events', async () => {
    expect(await counted(OTHER)).toEqual({})
  })

  it('counts openers on the day they were sent, whenever the reply came', async () => {
    await store.openersCall('req_1', THREE)
    const midnight = Date.UTC(2026, 6, 10)
    await store.store([
      sent({ opener: 0, at: midnight - 1 }),
      sent({ opener: 1, at: midnight }),
      reply({ opener: 0, at: midnight + 3 * DAY }),
    ])
    expect(await counted({ from: midnight - 1, to: midnight })).toEqual({ open_question: [1, 1] })
    expect(await counted({ from: midnight, to: midnight + 1 })).toEqual({ photo_callback: [1, 0] })
    expect(await counted({ from: midnight + 3 * DAY, to: midnight + 4 * DAY })).toEqual({})
    // Every day that overlaps the range is counted in full.
    const touched = await counted({ from: midnight - 1, to: midnight + 1 })
    expect(touched).toEqual({ open_question: [1, 1], photo_callback: [1, 0] })
  })

  it('moves an opener to the earliest reported day', async () => {
    await store.openersCall('req_1', THREE)
    const days = (query: [number, number]) =>
      counted({ from: NOW + query[0] * DAY, to: NOW + query[1] * DAY })
    await store.store([sent({ opener: 0, at: NOW }), reply({ opener: 0 })])
    expect(await days([0, 1])).toEqual({ open_question: [1, 1] })
    await store.store([sent({ opener: 0, at: NOW - 40 * DAY })])
    expect(await days([0, 1])).toEqual({})
    expect(await days([-40, -39])).toEqual({ open_question: [1, 1] })
    await store.store([sent({ opener: 0, at: NOW - 20 * DAY })])
    expect(await counted()).toEqual({ open_question: [1, 1] })
    expect(await days([-40, -39])).toEqual({ open_question: [1, 1] })
  })

  it('counts an opener once and its reply once, however many events report them', async () => {
    await store.openersCall('req_1', THREE)
    await store.store([sent({ opener: 2 }), sent({ opener: 2, user: 'another' })])
    await store.store([reply({ opener: 2 }), reply({ opener: 2, user: 'another' })])
    expect(await counted()).toEqual({ confident_direct: [1, 1] })
  })

  it('counts a reply once its opener is reported as sent', async () => {
    await store.openersCall('req_1', THREE)
    await store.store([reply({ opener: 1 })])
    expect(await counted()).toEqual({})
    await store.store([sent({ opener: 0 })])
    expect(await counted()).toEqual({ open_question: [1, 0] })
    await store.store([sent({ opener: 1 })])
    expect(await counted()).toEqual({ open_question: [1, 0], photo_callback: [1, 1] })
  })

  it('divides events without an index equally among the styles of their call', async () => {
    await store.openersCall('req_1', THREE)
    await store.store([sent({})])
    const third = 1 / 3
    expect(await counted()).toEqual({
      open_question: [third, 0],
      photo_callback: [third, 0],
      confident_direct: [third, 0],
    })
    await store.store([reply({}), reply({}), sent({})])
    expect(await counted()).toEqual({
      open_question: [third, third],
      photo_callback: [third, third],
      confident_direct: [third, third],
    })
  })

  it('gives a style that a call used twice only one share', async () => {
    await store.openersCall('req_1', ['open_question', 'open_question', 'photo_callback'])
    await store.store([sent({}), reply({})])
    expect(await counted()).toEqual({ open_question: [0.5, 0.5], photo_callback: [0.5, 0.5] })
  })

  it('divides a reply without an index among the openers that were sent', async () => {
    await store.openersCall('req_1', THREE)
    await store.store([reply({}), sent({ opener: 1 })])
    expect(await counted()).toEqual({ photo_callback: [1, 1] })
    await store.store([sent({ opener: 2 })])
    expect(await counted()).toEqual({ photo_callback: [1, 0.5], confident_direct: [1, 0.5] })
    await store.store([reply({ opener: 2 })])
    expect(await counted()).toEqual({ photo_callback: [1, 0.5], confident_direct: [1, 1] })
  })

  it('matches a reply with an index to an opener sent without one', async () => {
    await store.openersCall('req_1', THREE.slice(0, 2))
    await store.store([sent({}), reply({ opener: 0 })])
    expect(await counted()).toEqual({ open_question: [0.5, 0.5], photo_callback: [0.5, 0.5] })
  })

  it('counts openers sent with and without an index side by side', async () => {
    await store.openersCall('req_1', THREE.slice(0, 2))
    await store.store([sent({ opener: 0 }), sent({}), reply({})])
    expect(await counted()).toEqual({ open_question: [1.5, 0.5], photo_callback: [0.5, 0.5] })
  })

  it('can be limited to one tone', async () => {
    await store.openersCall('req_1', THREE, 'warm')
    await store.openersCall('req_2', THREE, 'witty')
    await store.store([sent({ opener: 0 }), sent({ request: 'req_2', opener: 1 })])
    expect(await counted({ tone: 'warm' })).toEqual({ open_question: [1, 0] })
    expect(await counted({ tone: 'witty' })).toEqual({ photo_callback: [1, 0] })
    expect(await counted({ tone: 'direct' })).toEqual({})
  })

  it('keeps environments and organisations apart', async () => {
    await store.openersCall('req_1', THREE)
    await store.store([sent({ opener: 0 })])
    expect(await counted(TEST)).toEqual({})
    expect(await counted(OTHER)).toEqual({})
  })
})
