import { replyRateByStyle } from '../../src/events/reply-rate-by-style.js'
import { replyRateByTone } from '../../src/events/reply-rate-by-tone.js'
import { weeklyReplyRate } from '../../src/events/weekly-reply-rate.js'
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
const YEAR = { ...LIVE, from: NOW - 365 * DAY, to: NOW + DAY }

let store: EventStore

beforeEach(async () => {
  store = await openEventStore()
  await store.openersCall('req_warm', ['open_question', 'confident_direct'], 'warm')
  await store.openersCall('req_witty', ['open_question'], 'witty')
  await store.store([
    sent({ request: 'req_warm', opener: 0, at: W29 - 1 }),
    reply({ request: 'req_warm', opener: 0, at: W29 + DAY }),
    sent({ request: 'req_warm', opener: 1, at: W29 }),
    sent({ request: 'req_witty', opener: 0, at: W29 + DAY }),
  ])
})

afterEach(() => store.remove())

describe('replyRateByTone', () => {
  const counts = async (query: Parameters<typeof replyRateByTone>[1]) => {
    const rates = await replyRateByTone(store.db, query)
    return Object.fromEntries(rates.map(({ tone, sent, replied }) => [tone, [sent, replied]]))
  }

  it('returns sent and replied for every tone', async () => {
    expect(await counts(YEAR)).toEqual({
      playful: [0, 0],
      warm: [2, 1],
      direct: [0, 0],
      witty: [1, 0],
    })
  })

  it('can be limited to one style', async () => {
    const { warm, witty } = await counts({ ...YEAR, style: 'confident_direct' })
    expect([warm, witty]).toEqual([
      [1, 0],
      [0, 0],
    ])
  })

  it('keeps environments and organisations apart', async () => {
    for (const scope of [TEST, OTHER]) {
      expect((await counts({ ...YEAR, ...scope })).warm).toEqual([0, 0])
    }
  })
})

describe('weeklyReplyRate', () => {
  it('counts an opener in the week it was sent, whenever the reply came', async () => {
    const weeks = await weeklyReplyRate(store.db, { ...LIVE, from: W29 - WEEK, to: W29 + WEEK })
    const counts = weeks.map(({ week, startsAt, all, byStyle }) => ({
      week,
      startsAt,
      all: [all.sent, all.replied],
      open: [byStyle.open_question.sent, byStyle.open_question.replied],
    }))
    expect(counts).toEqual([
      { week: '2026-W28', startsAt: W29 - WEEK, all: [1, 1], open: [1, 1] },
      { week: '2026-W29', startsAt: W29, all: [2, 0], open: [1, 0] },
    ])
  })

  it('includes weeks without openers, with a rate of null', async () => {
    const weeks = await weeklyReplyRate(store.db, { ...LIVE, from: W29 - 3 * WEEK, to: W29 })
    expect(weeks.map(({ all }) => all.rate)).toEqual([null, null, 1])
  })

  it('sums to the reply rates of the whole period', async () => {
    const weeks = await weeklyReplyRate(store.db, YEAR)
    const styles = await replyRateByStyle(store.db, YEAR)
    for (const { style, sent, replied } of styles) {
      const sum = (event: 'sent' | 'replied') =>
        weeks.reduce((total, { byStyle }) => total + byStyle[style][event], 0)
      expect([sum('sent'), sum('replied')]).toEqual([sent, replied])
    }
  })
})
