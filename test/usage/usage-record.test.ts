import { setImmediate } from 'node:timers/promises'
import { openTestDatabase } from '../_database.js'
import { CAPABILITIES } from '../../src/organizations/capability.js'
import { latencyOverTime, usageByCapability, usageOverTime } from '../../src/usage/usage-report.js'
import type { UsageQuery } from '../../src/usage/usage-report.js'
import { storeUsage, sweepUsageHours } from '../../src/usage/store-usage.js'
import { createUsageRecorder } from '../../src/usage/usage-recorder.js'
import { createLog } from '../../src/telemetry/log.js'
import { createMetrics } from '../../src/telemetry/metrics.js'
import { startNoOpService, type NoOpService } from '../http/_no-op-service.js'
import { DAY, HOUR, NOON } from '../organizations/_storage.js'

const OPENERS = 'conversation.openers'

let service: NoOpService
let apiKey: string

beforeEach(async () => {
  service = await startNoOpService()
  apiKey = (await service.storage.issueKey()).apiKey
})

afterEach(() => service.close())

function query(overrides: Partial<UsageQuery> = {}): UsageQuery {
  const { organizationId } = service.storage
  const scope = { organizationId, environment: 'test' } as const
  return { ...scope, from: NOON, to: NOON + 1, step: 'hour', ...overrides }
}

async function outcomes(overrides: Partial<UsageQuery> = {}): Promise<Record<string, number>> {
  await service.usage.flush()
  const capabilities = await usageByCapability(service.storage.db, query(overrides))
  const openers = capabilities.find(({ capability }) => capability === OPENERS)
  return Object.fromEntries(openers!.outcomes)
}

describe('the usage record', () => {
  it('counts requests of an authenticated caller by outcome', async () => {
    const key = { 'X-Idempotency-Key': '0d9f1a52-1f0f-4a3e-9f0c-0c3f3a8f6a01' }
    await service.post({ apiKey, headers: key })
    await service.post({ apiKey, headers: key })
    await service.post({ apiKey, body: { value: 1 } })
    await service.post({ apiKey })
    await service.post({ apiKey })
    await service.post({ apiKey })
    await service.post({ apiKey: 'sk_test_nobody' })
    await service.post({})
    expect(await outcomes()).toEqual({
      ok: 3,
      replayed: 1,
      invalid_request: 1,
      quota_exceeded: 1,
    })
  })

  it('counts a client that disconnects', async () => {
    const abort = new AbortController()
    service.work = (call) => {
      abort.abort()
      return new Promise((_resolve, reject) =>
        call.inference.signal.addEventListener('abort', () => reject(new Error('nobody waits'))),
      )
    }
    await expect(service.post({ apiKey, signal: abort.signal })).rejects.toThrow('aborted')
    // The server learns of it on a later turn of the event loop, which the database alone never gives it.
    for (let turn = 0; turn < 1_000 && (await outcomes()).client_left === undefined; turn++) {
      await setImmediate()
    }
    expect(await outcomes()).toEqual({ client_left: 1 })
  })

  it('sums over flushes, hours and days', async () => {
    await service.post({ apiKey })
    await service.usage.flush()
    await service.post({ apiKey })
    service.now = NOON + HOUR
    await service.post({ apiKey })
    expect(await outcomes()).toEqual({ ok: 2 })
    expect(await outcomes({ to: NOON + HOUR + 1 })).toEqual({ ok: 3 })
    expect(await outcomes({ step: 'day' })).toEqual({ ok: 3 })
    expect(await outcomes({ step: 'week' })).toEqual({ ok: 3 })
  })

  it('keeps environments apart', async () => {
    const live = await service.storage.issueKey({ environment: 'live' })
    await service.post({ apiKey: live.apiKey })
    expect(await outcomes()).toEqual({})
    expect(await outcomes({ environment: 'live' })).toEqual({ ok: 1 })
  })

  it('returns every step, including those without requests', async () => {
    await service.post({ apiKey })
    await service.post({ apiKey, body: {} })
    await service.usage.flush()
    const hours = query({ from: NOON - HOUR, to: NOON + HOUR + 1 })
    const steps = await usageOverTime(service.storage.db, hours)
    const counted = steps.map(({ startsAt, requests, errors }) => [
      startsAt,
      requests[OPENERS],
      errors,
    ])
    expect(counted).toEqual([
      [NOON - HOUR, 0, 0],
      [NOON, 2, 1],
      [NOON + HOUR, 0, 0],
    ])
    const latency = await latencyOverTime(service.storage.db, { ...hours, capability: OPENERS })
    expect(latency.map(({ p50 }) => p50 !== undefined)).toEqual([false, true, false])
  })

  it('is complete after a shutdown', async () => {
    await service.post({ apiKey })
    await service.usage.close()
    const db = await openTestDatabase(service.storage.dataDir)
    const [row] = await db.selectFrom('usage_days').select('requests').execute()
    await db.destroy()
    expect(row).toEqual({ requests: 1 })
  })

  it('keeps organisations apart', async () => {
    await service.post({ apiKey })
    expect(await outcomes({ organizationId: 'org_other' })).toEqual({})
  })
})

describe('the usage recorder', () => {
  const request = {
    environment: 'test',
    capability: OPENERS,
    outcome: 'ok',
    durationMs: 5,
  } as const

  it('keeps counts that the database refuses for the next flush', async () => {
    const { organizationId, db } = service.storage
    service.usage.add({ ...request, organizationId })
    await db.schema.alterTable('usage_days').renameTo('away').execute()
    await service.usage.flush()
    service.usage.add({ ...request, organizationId })
    await db.schema.alterTable('away').renameTo('usage_days').execute()
    expect(await outcomes()).toEqual({ ok: 2 })
  })

  it('holds a bounded number of counts, and reports those it dropped', async () => {
    const db = await openTestDatabase(service.storage.dataDir)
    await db.destroy()
    const metrics = createMetrics()
    const recorder = createUsageRecorder({
      db,
      metrics,
      log: createLog({ level: 'silent', format: 'json' }),
      clock: () => NOON,
    })
    for (let number = 0; number < 10_050; number++) {
      recorder.add({ ...request, organizationId: `org_${number}` })
    }
    expect((await metrics.usageLost.get()).values[0]?.value).toBe(50)
    await recorder.close()
  })

  it('drops counts of deleted organisations only', async () => {
    const { organizationId, db } = service.storage
    await storeUsage(db, [
      ['org_gone', 'test', OPENERS, 'ok', NOON / HOUR, 9, 7],
      [organizationId, 'test', OPENERS, 'ok', NOON / HOUR, 9, 2],
    ])
    expect(await outcomes()).toEqual({ ok: 2 })
  })

  it('deletes hours after two weeks, and never days', async () => {
    const { organizationId, db } = service.storage
    await storeUsage(
      db,
      CAPABILITIES.map((capability) => [
        organizationId,
        'test',
        capability,
        'ok',
        NOON / HOUR,
        9,
        2,
      ]),
    )
    await sweepUsageHours(db, NOON + 14 * DAY)
    expect(await outcomes()).toEqual({ ok: 2 })
    await sweepUsageHours(db, NOON + 16 * DAY)
    expect(await outcomes()).toEqual({})
    expect(await outcomes({ step: 'day' })).toEqual({ ok: 2 })
  })
})
