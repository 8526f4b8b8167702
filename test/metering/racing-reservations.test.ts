import { ServiceError } from '../../src/core/service-error.js'
import type { Database } from '../../src/database/open-database.js'
import { countUsage, releaseQuota, reserveQuota, settleQuota } from '../../src/metering/quota.js'
import { isOnPostgres, openTestDatabase } from '../_database.js'
import { MINUTE, NOON, openStorage, type StorageFixture } from '../organizations/_storage.js'

/** Reservations of two servers at the same time, each with a pool of connections; SQLite has one server. */
let storage: StorageFixture
let servers: Database[]

beforeEach(async () => {
  storage = await openStorage()
  servers = [storage.db, isOnPostgres ? await openTestDatabase(storage.dataDir) : storage.db]
})
afterEach(async () => {
  if (isOnPostgres) await servers[1]!.destroy()
  await storage.remove()
})

describe('calls at the same time', () => {
  it('are admitted exactly up to the cap, also while others settle or are released', async () => {
    const scope = {
      organizationId: storage.organizationId,
      environment: 'live',
      capability: 'match.evaluate',
    } as const
    const terms = { hardCap: 15, now: NOON, deadline: NOON + MINUTE }
    const call = async (index: number) => {
      const db = servers[index % 2]!
      const reservation = await reserveQuota(db, scope, terms)
      if (index % 3 === 0) return releaseQuota(db, reservation)
      await db.transaction().execute((transaction) => settleQuota(transaction, reservation, NOON))
    }
    const outcomes = await Promise.allSettled(Array.from({ length: 120 }, (_, i) => call(i)))
    const refusals = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
    )
    expect(refusals.every((error) => error instanceof ServiceError)).toBe(true)
    expect(await countUsage(storage.db, scope, NOON)).toBeLessThanOrEqual(15)
    // Whatever was released can be had again, and no more.
    await Promise.allSettled(Array.from({ length: 40 }, () => call(1)))
    expect(await countUsage(storage.db, scope, NOON)).toBe(15)
  })
})
