import { dayOf } from '../../src/events/calendar.js'
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
import { readCounts, recordLearningCall } from '../learning/_learning-calls.js'

const TODAY = dayOf(NOW)
const EARLIER = NOW - 10 * DAY

let store: EventStore

beforeEach(async () => {
  store = await openEventStore()
})
afterEach(() => store.remove())

/** Openers sent and replied to by style, in sixtieths. */
async function countsByStyle(scope = LIVE) {
  const { evidence } = await readCounts(store.db, scope)
  return Object.fromEntries(evidence.map(({ style, sent, replied }) => [style, [sent, replied]]))
}

describe('the evidence that events add', () => {
  it('counts an opener by its traits, and by arm and bucket, on the day it was sent', async () => {
    await recordLearningCall(store.db, {
      requestId: 'req_1',
      tone: 'direct',
      styles: ['photo_callback'],
      arm: 'control',
      bucket: 17,
      detail: 'photo',
      isQuestion: false,
      score: 0.95,
    })
    await store.store([sent({ opener: 0, at: EARLIER }), reply({ opener: 0, at: EARLIER + DAY })])
    const { evidence, buckets } = await readCounts(store.db)
    const counts = { scope_id: 1, day: TODAY - 10, sent: 60, replied: 60 }
    expect(evidence).toEqual([
      {
        ...counts,
        tone: 'direct',
        style: 'photo_callback',
        is_question: 0,
        detail: 'photo',
        length_band: 1,
        score_band: 5,
      },
    ])
    expect(buckets).toEqual([{ ...counts, arm: 'control', bucket: 17 }])
  })

  it('counts a reply on the third day after the opener, and not later', async () => {
    await recordLearningCall(store.db, {
      requestId: 'req_1',
      styles: ['open_question', 'photo_callback'],
    })
    await store.store([
      sent({ opener: 0, at: EARLIER }),
      reply({ opener: 0, at: EARLIER + 3 * DAY }),
      sent({ opener: 1, at: EARLIER }),
      reply({ opener: 1, at: EARLIER + 4 * DAY }),
    ])
    expect(await countsByStyle()).toEqual({ open_question: [60, 60], photo_callback: [60, 0] })
  })

  it('counts the earliest reply, in whatever order replies arrive', async () => {
    await recordLearningCall(store.db, { requestId: 'req_1' })
    await store.store([
      sent({ opener: 0, at: EARLIER }),
      reply({ opener: 0, at: EARLIER + 8 * DAY }),
    ])
    expect(await countsByStyle()).toEqual({ open_question: [60, 0] })
    await store.store([reply({ opener: 0, at: EARLIER + DAY })])
    expect(await countsByStyle()).toEqual({ open_question: [60, 60] })
  })

  it('divides events without an index equally among the openers of the call', async () => {
    await recordLearningCall(store.db, {
      requestId: 'req_1',
      styles: ['open_question', 'open_question', 'photo_callback'],
    })
    await store.store([sent({ at: EARLIER }), reply({ at: EARLIER })])
    expect(await countsByStyle()).toEqual({ open_question: [40, 40], photo_callback: [20, 20] })
  })

  it('divides a reply without an index among the openers that were reported as sent', async () => {
    await recordLearningCall(store.db, {
      requestId: 'req_1',
      styles: ['open_question', 'photo_callback', 'confident_direct'],
    })
    await store.store([
      sent({ opener: 0, at: EARLIER }),
      sent({ opener: 2, at: EARLIER }),
      reply({ at: EARLIER + DAY }),
    ])
    expect(await countsByStyle()).toEqual({ open_question: [60, 30], confident_direct: [60, 30] })
  })

  it('counts an opener once, however often and by whomever it is reported', async () => {
    await recordLearningCall(store.db, { requestId: 'req_1' })
    for (let index = 0; index < 40; index++) {
      const user = `user ${index % 3}`
      await store.store([
        sent({ opener: 0, at: EARLIER, user }),
        reply({ opener: 0, at: EARLIER, user }),
      ])
    }
    expect(await countsByStyle()).toEqual({ open_question: [60, 60] })
    expect((await readCounts(store.db)).buckets).toMatchObject([{ sent: 60, replied: 60 }])
  })

  it('leaves out calls that were made while learning was off', async () => {
    await store.openersCall('req_1', ['open_question'])
    await store.store([sent({ opener: 0, at: EARLIER })])
    expect(await readCounts(store.db)).toEqual({ evidence: [], buckets: [] })
  })

  it('is that of one environment of one organisation', async () => {
    await recordLearningCall(store.db, { requestId: 'req_live' })
    await recordLearningCall(store.db, { requestId: 'req_test', scope: TEST })
    await recordLearningCall(store.db, { requestId: 'req_other', scope: OTHER })
    await store.store([sent({ request: 'req_test', opener: 0, at: EARLIER })], TEST)
    expect(await countsByStyle(LIVE)).toEqual({})
    expect(await countsByStyle(OTHER)).toEqual({})
    expect(await countsByStyle(TEST)).toEqual({ open_question: [60, 0] })
  })

  it('leaves out what was sent before a reset, also when its reply arrives later', async () => {
    await recordLearningCall(store.db, { requestId: 'req_1' })
    await recordLearningCall(store.db, { requestId: 'req_2' })
    const row = { scope_id: 1, state: 'on', control_percent: 10, learns_from_day: TODAY - 5 }
    await store.db.insertInto('learning_settings').values(row).execute()
    await store.store([sent({ opener: 0, at: EARLIER })])
    await store.store([reply({ opener: 0, at: EARLIER + DAY })])
    expect(await readCounts(store.db)).toEqual({ evidence: [], buckets: [] })
    await store.store([sent({ request: 'req_2', opener: 0, at: NOW - 5 * DAY })])
    expect(await countsByStyle()).toEqual({ open_question: [60, 0] })
  })

  it('is refused with the whole batch when one record is wrong', async () => {
    await recordLearningCall(store.db, { requestId: 'req_1' })
    const batch = [sent({ opener: 0, at: EARLIER }), sent({ request: 'req_unknown', at: EARLIER })]
    await expect(store.store(batch)).rejects.toMatchObject({ code: 'invalid_request' })
    expect(await readCounts(store.db)).toEqual({ evidence: [], buckets: [] })
  })
})
