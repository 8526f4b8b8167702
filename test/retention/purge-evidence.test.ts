import type { Retention } from '../../src/config/retention-cutoffs.js'
import { openErasureConnection } from '../../src/database/erasure-connection.js'
import type { Database } from '../../src/database/open-database.js'
import { dayOf } from '../../src/events/calendar.js'
import { readLearningSettings } from '../../src/learning/read-settings.js'
import { recomputeEvidence } from '../../src/learning/recompute-evidence.js'
import { openServerSecret } from '../../src/organizations/server-secret.js'
import { purgeOldRecords } from '../../src/retention/purge-old-records.js'
import { trustClock } from '../../src/retention/trusted-clock.js'
import {
  DAY,
  LIVE,
  NOW,
  openEventStore,
  reply,
  sent,
  TEST,
  type EventStore,
} from '../events/_event-store.js'
import { readCounts, recordLearningCall } from '../learning/_learning-calls.js'

const KEEP: Retention = {
  eventsDays: undefined,
  callsDays: undefined,
  auditDays: undefined,
  usageDays: undefined,
}
const FIRST_DAY = dayOf(NOW) - 30

let store: EventStore
let erasing: Database

beforeEach(async () => {
  store = await openEventStore()
  erasing = await openErasureConnection(store)
  await trustClock(store.db, NOW)
})
afterEach(async () => {
  await erasing.destroy()
  await store.remove()
})

async function purge(retention: Partial<Retention>, dryRun = false) {
  const secret = await openServerSecret(store.dataDir)
  const purged = await purgeOldRecords(
    { db: erasing, secret },
    { ...KEEP, ...retention },
    {
      now: NOW,
      dryRun,
    },
  )
  return Object.fromEntries(purged.map(({ records, rows }) => [records, rows]))
}

async function sendOn(requestId: string, daysAgo: number, createdDaysAgo = daysAgo) {
  const createdAt = NOW - createdDaysAgo * DAY
  await recordLearningCall(store.db, { requestId, createdAt })
  await store.store([sent({ request: requestId, opener: 0, at: NOW - daysAgo * DAY })])
}

const days = async () => (await readCounts(store.db)).evidence.map(({ day }) => day - dayOf(NOW))

describe('the retention of what learning counted', () => {
  it('is that of events', async () => {
    await sendOn('req_1', 40)
    await sendOn('req_2', 30)
    expect(await purge({ eventsDays: 30 })).toMatchObject({
      learning_evidence: 1,
      learning_buckets: 1,
    })
    expect(await days()).toEqual([-30])
    expect((await readCounts(store.db)).buckets).toMatchObject([{ day: FIRST_DAY }])
  })

  it('is unlimited where that of events and calls is', async () => {
    await sendOn('req_1', 400)
    expect(await purge({ auditDays: 30 })).toEqual({ audit_log: 0 })
    expect(await days()).toEqual([-400])
  })

  it('reports in a dry run what it would delete, and deletes nothing', async () => {
    await sendOn('req_1', 40)
    expect(await purge({ eventsDays: 30 }, true)).toMatchObject({ learning_evidence: 1 })
    expect(await days()).toEqual([-40])
  })

  it('keeps deleted days closed when a reply to an old opener arrives', async () => {
    await sendOn('req_1', 32)
    await purge({ eventsDays: 30 })
    await store.store([reply({ request: 'req_1', opener: 0, at: NOW - 29 * DAY })])
    expect(await readCounts(store.db)).toEqual({ evidence: [], buckets: [] })
    expect(await readLearningSettings(store.db, LIVE)).toMatchObject({ learnsFromDay: FIRST_DAY })
    expect(await readLearningSettings(store.db, TEST)).toMatchObject({ learnsFromDay: null })
  })

  it('takes out openers of deleted calls that were sent late, so that a recomputation agrees', async () => {
    await sendOn('req_old', 10, 40)
    await sendOn('req_new', 10, 10)
    await purge({ callsDays: 30 })
    expect(await readCounts(store.db)).toMatchObject({
      evidence: [{ sent: 60 }],
      buckets: [{ sent: 60 }],
    })
    expect(await recomputeEvidence(store.db, LIVE)).toEqual({ calls: 1, corrected: 0 })
  })
})
