import { setTimeout as delay } from 'node:timers/promises'
import {
  countUsage,
  releaseQuota,
  reserveQuota,
  settleQuota,
  type QuotaLease,
  type QuotaScope,
} from '../../src/metering/quota.js'
import { releaseAbandoned } from '../../src/metering/release-abandoned.js'
import { sweepExpired } from '../../src/metering/sweep-expired-records.js'
import {
  describeOnPostgres,
  describeOnSqlite,
  isOnPostgres,
  openTestDatabase,
} from '../_database.js'
import {
  MINUTE,
  NOON,
  openStorage,
  SECOND,
  type StorageFixture,
} from '../organizations/_storage.js'
import { countPermits, letLeasesLapse } from './_leases.js'

let storage: StorageFixture
let scope: QuotaScope

beforeEach(async () => {
  storage = await openStorage()
  const { organizationId } = storage
  scope = { organizationId, environment: 'live', capability: 'match.evaluate' }
})
afterEach(() => storage.remove())

const reserve = (hardCap: number | undefined, now = NOON, of = scope) =>
  reserveQuota(storage.db, of, { hardCap, now, deadline: now + MINUTE })
const settle = async (lease: QuotaLease, now = NOON) =>
  (await storage.db.transaction().execute((transaction) => settleQuota(transaction, lease, now)))
    .used
const call = async (hardCap: number | undefined, now = NOON, of = scope) =>
  settle(await reserve(hardCap, now, of), now)
const used = (now = NOON, of = scope) => countUsage(storage.db, of, now)

describe('quota', () => {
  it('counts settled calls', async () => {
    expect(await used()).toBe(0)
    expect(await call(10)).toBe(1)
    expect(await call(10)).toBe(2)
    expect(await used()).toBe(2)
  })

  it('does not charge a released call', async () => {
    const lease = await reserve(1)
    expect(await releaseQuota(storage.db, lease)).toBe(true)
    expect(await releaseQuota(storage.db, lease)).toBe(false)
    expect(await used()).toBe(0)
    expect(await call(1)).toBe(1)
  })

  it('refuses calls beyond the hard cap until the end of the month, to the second', async () => {
    await call(1)
    await expect(reserve(1)).rejects.toMatchObject({
      code: 'quota_exceeded',
      status: 429,
      retryAfterSeconds: (Date.UTC(2026, 7, 1) - NOON) / SECOND,
    })
    const lastMoment = Date.UTC(2026, 6, 31, 23, 59, 59, 1)
    await expect(reserve(1, lastMoment)).rejects.toMatchObject({ retryAfterSeconds: 1 })
  })

  it('refuses every call with a cap of 0, and none without a cap', async () => {
    await expect(reserve(0)).rejects.toMatchObject({ code: 'quota_exceeded' })
    for (let calls = 1; calls <= 5; calls++) expect(await call(undefined)).toBe(calls)
  })

  it('counts running calls against the cap', async () => {
    const running = await reserve(1)
    await expect(reserve(1)).rejects.toMatchObject({ code: 'quota_exceeded' })
    expect(await used()).toBe(0)
    await settle(running)
    expect(await used()).toBe(1)
  })

  it('admits exactly one of many concurrent calls when one is left', async () => {
    for (let calls = 0; calls < 4; calls++) await call(5)
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => call(5)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await used()).toBe(5)
  })

  it('resets at the start of a month in UTC', async () => {
    const lastMoment = Date.UTC(2026, 6, 31, 23, 59, 59, 999)
    const nextMonth = Date.UTC(2026, 7, 1)
    await call(1, lastMoment)
    await expect(reserve(1, lastMoment)).rejects.toMatchObject({ retryAfterSeconds: 1 })
    expect(await used(nextMonth)).toBe(0)
    expect(await call(1, nextMonth)).toBe(1)
    expect(await used(lastMoment)).toBe(1)
  })

  it('charges the month in which a call started', async () => {
    const lastMoment = Date.UTC(2026, 6, 31, 23, 59, 59, 999)
    const running = await reserve(1, lastMoment)
    await settle(running, lastMoment + 10 * SECOND)
    expect(await used(lastMoment)).toBe(1)
    expect(await used(lastMoment + 10 * SECOND)).toBe(0)
  })

  it('counts environments and capabilities separately', async () => {
    await call(1)
    const others: QuotaScope[] = [
      { ...scope, environment: 'test' },
      { ...scope, capability: 'events' },
    ]
    for (const other of others) {
      expect(await used(NOON, other)).toBe(0)
      expect(await call(1, NOON, other)).toBe(1)
    }
  })

  it('admits another call in place of a lapsed one, and charges only that', async () => {
    const lost = await reserve(1)
    await letLeasesLapse(storage.db)
    const next = await reserve(1)
    await expect(settle(lost)).rejects.toMatchObject({ code: 'overloaded' })
    expect(await releaseQuota(storage.db, lost)).toBe(false)
    expect(await settle(next)).toBe(1)
    expect(await countPermits(storage.db)).toEqual({ admitted: 1, leased: 0 })
  })

  it('charges no lapsed call, although nobody else was admitted', async () => {
    const late = await reserve(1)
    await letLeasesLapse(storage.db)
    await expect(settle(late)).rejects.toMatchObject({ code: 'overloaded' })
    expect(await used()).toBe(0)
  })

  it('does not charge a call twice', async () => {
    const lease = await reserve(5)
    await settle(lease)
    await expect(settle(lease)).rejects.toMatchObject({ code: 'overloaded' })
    expect(await releaseQuota(storage.db, lease)).toBe(false)
    expect(await used()).toBe(1)
  })

  it('charges nothing in a transaction that fails', async () => {
    const lease = await reserve(1)
    const failed = storage.db.transaction().execute(async (transaction) => {
      await settleQuota(transaction, lease, NOON)
      throw new Undo()
    })
    await expect(failed).rejects.toBeInstanceOf(Undo)
    expect(await used()).toBe(0)
    expect(await releaseQuota(storage.db, lease)).toBe(true)
    expect(await countPermits(storage.db)).toEqual({ admitted: 0, leased: 0 })
  })

  it('keeps its count across a restart, after which interrupted calls hold nothing', async () => {
    await call(3)
    await reserve(3)
    await storage.db.destroy()
    storage.db = await openTestDatabase(storage.dataDir)
    // Another server of the same database may be running them.
    if (isOnPostgres) await letLeasesLapse(storage.db)
    await releaseAbandoned(storage.db)
    expect(await used()).toBe(1)
    expect(await Promise.all([reserve(3), reserve(3)])).toHaveLength(2)
  })

  it('sweeps lapsed leases of all scopes, and no others', async () => {
    await reserve(undefined)
    await reserve(undefined)
    await reserve(undefined, NOON, { ...scope, capability: 'events' })
    await call(undefined)
    await letLeasesLapse(storage.db)
    const running = await reserve(undefined)
    await sweepExpired(storage.db, NOON)
    expect(await countPermits(storage.db)).toEqual({ admitted: 2, leased: 1 })
    expect([await used(), await settle(running)]).toEqual([1, 2])
  })
})

describeOnPostgres('a lease on PostgreSQL', () => {
  it('lapses by the clock of the database, whatever that of the server says', async () => {
    const terms = { hardCap: 1, now: NOON, deadline: NOON + 300 }
    const late = await reserveQuota(storage.db, scope, terms)
    await delay(400)
    await expect(settle(late, NOON)).rejects.toMatchObject({ code: 'overloaded' })
    expect(await reserve(1, NOON)).toBeDefined()
  })
})

describeOnSqlite('a lease on SQLite', () => {
  it('lapses at its deadline, by the clock of the server', async () => {
    const late = await reserve(1)
    await expect(reserve(1, NOON + MINUTE - 1)).rejects.toMatchObject({ code: 'quota_exceeded' })
    expect(await reserve(1, NOON + MINUTE)).toBeDefined()
    await expect(settle(late, NOON + MINUTE)).rejects.toMatchObject({ code: 'overloaded' })
    const left = await storage.db.selectFrom('quota_leases').select('deadline').execute()
    expect(left).toEqual([{ deadline: NOON + 2 * MINUTE }])
  })
})

class Undo extends Error {}
