import path from 'node:path'
import { openErasureConnection } from '../../src/database/erasure-connection.js'
import type { Database } from '../../src/database/open-database.js'
import { replyRateByStyle } from '../../src/events/reply-rate-by-style.js'
import { storeEvents } from '../../src/events/store-events.js'
import { weeklyRetention } from '../../src/events/weekly-retention.js'
import { recordAudit } from '../../src/organizations/audit-log.js'
import { openServerSecret, type ServerSecret } from '../../src/organizations/server-secret.js'
import { retentionCutoffs, type Retention } from '../../src/config/retention-cutoffs.js'
import { purgeOldRecords } from '../../src/retention/purge-old-records.js'
import {
  assertPlausible,
  ClockJumpError,
  recordClock,
  trustClock,
} from '../../src/retention/trusted-clock.js'
import { watchClock } from '../../src/retention/watch-clock.js'
import { startPurging } from '../../src/retention/start-purging.js'
import {
  DAY,
  LIVE,
  NOW,
  openEventStore,
  reply,
  sent,
  type EventStore,
} from '../events/_event-store.js'
import { createRecordingLog, until } from '../inference/workers/_fixture-host.js'

const KEEP_ALL: Retention = {
  eventsDays: undefined,
  callsDays: undefined,
  auditDays: undefined,
  usageDays: undefined,
}

let store: EventStore
let erasing: Database
let secret: ServerSecret

beforeEach(async () => {
  store = await openEventStore()
  erasing = await openErasureConnection(store)
  secret = await openServerSecret(store.dataDir)
})
afterEach(async () => {
  await erasing.destroy()
  await store.remove()
})

/** Where the thread finds the database and the secret. */
function place() {
  const { dataDir, postgres } = store
  return { dataDir, postgres, serverSecretFile: postgres && path.join(dataDir, 'server-secret') }
}

async function count(
  table: 'events' | 'end_users' | 'service_calls' | 'audit_log' | 'quota_usage',
) {
  const { rows } = await store.db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow()
  return rows
}

async function storeOldAndNew() {
  await store.openersCall('req_1', ['open_question'])
  await trustClock(store.db, NOW)
  await store.store([
    sent({ user: 'gone', at: NOW - 100 * DAY }),
    reply({ user: 'gone', at: NOW - 99 * DAY }),
    sent({ user: 'back', at: NOW - 90 * DAY }),
    sent({ user: 'back', at: NOW - DAY }),
  ])
}

async function analytics() {
  const range = { ...LIVE, from: NOW - 200 * DAY, to: NOW + DAY }
  return {
    rates: await replyRateByStyle(store.db, range),
    cohorts: await weeklyRetention(store.db, { ...range, now: NOW }),
  }
}

describe('purging old records', () => {
  it('deletes events, and end users without later events, and keeps the counts', async () => {
    await storeOldAndNew()
    const before = await analytics()
    await purgeOldRecords({ db: erasing, secret }, { ...KEEP_ALL, eventsDays: 30 }, { now: NOW })
    expect([await count('events'), await count('end_users')]).toEqual([1, 1])
    expect(await analytics()).toEqual(before)
  })

  it('deletes calls with all their events, and keeps the counts', async () => {
    await storeOldAndNew()
    const before = await analytics()
    await purgeOldRecords(
      { db: erasing, secret },
      { ...KEEP_ALL, callsDays: 30 },
      { now: NOW + 31 * DAY },
    )
    expect([await count('service_calls'), await count('events')]).toEqual([0, 0])
    expect(await analytics()).toEqual(before)
  })

  it('deletes audit entries and monthly usage', async () => {
    await recordAudit(
      { db: store.db, secret },
      { action: 'key.created', organizationId: 'org_a', subject: 'key_1' },
      { actor: 'cli:tester', now: NOW - 400 * DAY },
    )
    const usage = {
      organization_id: 'org_a',
      environment: 'live',
      capability: 'events',
      admitted: 3,
    }
    await store.db
      .insertInto('quota_usage')
      .values([
        { ...usage, period: '2025-04' },
        { ...usage, period: '2026-07' },
      ])
      .execute()
    await purgeOldRecords(
      { db: erasing, secret },
      { ...KEEP_ALL, auditDays: 365, usageDays: 365 },
      { now: NOW },
    )
    expect([await count('audit_log'), await count('quota_usage')]).toEqual([0, 1])
  })

  it('reports in a dry run what it would delete, and deletes nothing', async () => {
    await storeOldAndNew()
    const retention = { ...KEEP_ALL, eventsDays: 30 }
    const [events] = await purgeOldRecords({ db: erasing, secret }, retention, {
      now: NOW,
      dryRun: true,
    })
    expect(events).toEqual({ records: 'events', rows: 3 })
    expect(await count('events')).toBe(4)
  })

  it('deletes nothing for which the service still accepts events', async () => {
    await store.openersCall('req_1', ['open_question'], 'warm', NOW - 40 * DAY)
    const retention = { ...KEEP_ALL, eventsDays: 30, callsDays: 60 }
    const later = NOW + 61 * DAY
    const store30 = (at: number, now: number) =>
      storeEvents(
        store.db,
        { scope: LIVE, records: [sent({ at })], oldest: retentionCutoffs(retention, now) },
        now,
      )
    await expect(store30(NOW - 31 * DAY, NOW)).rejects.toThrow('must not be before')
    await expect(store30(later, later)).rejects.toThrow('originating_request_id')
    expect(await store30(NOW - 29 * DAY, NOW)).toEqual({ accepted: 1, duplicates: 0 })
  })

  it('deletes more rows than fit into a batch', async () => {
    await store.openersCall('req_1', ['open_question'])
    for (let batch = 0; batch < 3; batch++) {
      await store.store(
        Array.from({ length: 700 }, (_, index) =>
          sent({ user: `user ${index}`, at: NOW - (index % 2 ? 100 : 1) * DAY }),
        ),
      )
    }
    const [events] = await purgeOldRecords(
      { db: erasing, secret },
      { ...KEEP_ALL, eventsDays: 30 },
      { now: NOW },
    )
    expect(events).toEqual({ records: 'events', rows: 1_050 })
    expect(await count('events')).toBe(1_050)
  })

  it('runs beside the service and logs how much it deleted', async () => {
    await storeOldAndNew()
    const log = createRecordingLog()
    const retention = { ...KEEP_ALL, eventsDays: 30 }
    const stop = startPurging({ ...place(), retention, log, clock: () => NOW, firstAfterMs: 1 })
    try {
      await until(() => log.lines.length > 0)
      expect(log.lines).toEqual([expect.objectContaining({ fields: { count: 5 } })])
      expect(await count('events')).toBe(1)
    } finally {
      await stop()
    }
  })
})

describe('a clock that jumps ahead', () => {
  const retention = { ...KEEP_ALL, eventsDays: 30 }

  it('deletes nothing, and is logged with what to do', async () => {
    await storeOldAndNew()
    await recordClock(store.db, NOW)
    const log = createRecordingLog()
    const clock = () => NOW + 400 * DAY
    const stop = startPurging({ ...place(), retention, log, clock, firstAfterMs: 1 })
    try {
      await until(() => log.lines.length > 0)
      expect(log.lines).toEqual([
        expect.objectContaining({
          level: 'error',
          fields: { reason: expect.stringContaining('--trust-clock') },
        }),
      ])
      expect(await count('events')).toBe(4)
    } finally {
      await stop()
    }
  })

  it('is noticed by its distance to the newest record in the database of an older version', async () => {
    await store.openersCall('req_1', ['open_question'], 'warm', NOW)
    await expect(recordClock(store.db, NOW + 400 * DAY)).rejects.toBeInstanceOf(ClockJumpError)
    await recordClock(store.db, NOW + DAY)
  })

  it('is noticed although records of the wrong time were written since', async () => {
    await recordClock(store.db, NOW)
    const later = NOW + 400 * DAY
    await store.db
      .insertInto('audit_log')
      .values({
        at: later,
        actor: 'a',
        action: 'b',
        organization_id: 'org_a',
        subject: 'c',
        details: '{}',
      })
      .execute()
    await expect(assertPlausible(store.db, later)).rejects.toBeInstanceOf(ClockJumpError)
  })

  it('may be confirmed, and may go back', async () => {
    await recordClock(store.db, NOW)
    await trustClock(store.db, NOW + 400 * DAY)
    await assertPlausible(store.db, NOW + 400 * DAY)
    await recordClock(store.db, NOW)
    await expect(assertPlausible(store.db, NOW + 400 * DAY)).rejects.toThrow('2026')
  })

  it('is recorded every hour while it is plausible', async () => {
    let now = NOW
    const log = createRecordingLog()
    const stop = watchClock({ db: store.db, log, clock: () => (now += DAY), intervalMs: 1 })
    try {
      await until(() => now > NOW + 20 * DAY)
      await assertPlausible(store.db, NOW + 20 * DAY)
      expect(log.lines).toEqual([])
    } finally {
      await stop()
    }
  })
})
