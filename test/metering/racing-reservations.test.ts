import { ServiceError } from '../../src/core/service-error.js'
import type { Database } from '../../src/database/open-database.js'
import {
  countUsage,
  releaseQuota,
  reserveQuota,
  returnLapsed,
  settleQuota,
  type QuotaScope,
} from '../../src/metering/quota.js'
import { isOnPostgres, openTestDatabase } from '../_database.js'
import { MINUTE, NOON, openStorage, type StorageFixture } from '../organizations/_storage.js'
import { countPermits, letLeasesLapse } from './_leases.js'

/** Two servers of one database, each with a pool of connections; SQLite has one server. */
let storage: StorageFixture
let servers: Database[]
let scope: QuotaScope

beforeEach(async () => {
  storage = await openStorage()
  servers = [storage.db, isOnPostgres ? await openTestDatabase(storage.dataDir) : storage.db]
  const { organizationId } = storage
  scope = { organizationId, environment: 'live', capability: 'match.evaluate' }
})
afterEach(async () => {
  if (isOnPostgres) await servers[1]!.destroy()
  await storage.remove()
})

const serverOf = (index: number) => servers[index % 2]!
const reserve = (index: number, hardCap: number) =>
  reserveQuota(serverOf(index), scope, { hardCap, now: NOON, deadline: NOON + MINUTE })
const used = () => countUsage(storage.db, scope, NOON)

async function settle(index: number, lease: Awaited<ReturnType<typeof reserve>>) {
  await serverOf(index)
    .transaction()
    .execute((transaction) => settleQuota(transaction, lease, NOON))
}

/** Runs calls at once, and returns how many were not refused by the quota or because they had lapsed. */
async function countAdmitted(count: number, call: (index: number) => Promise<unknown>) {
  const outcomes = await Promise.allSettled(
    Array.from({ length: count }, (_, index) => call(index)),
  )
  const refusals = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
  )
  expect(refusals.filter((error) => !(error instanceof ServiceError))).toEqual([])
  return count - refusals.length
}

describe('calls at the same time', () => {
  it('are admitted exactly up to the cap', async () => {
    const admitted = await countAdmitted(120, async (index) =>
      settle(index, await reserve(index, 50)),
    )
    expect([admitted, await used()]).toEqual([50, 50])
  })

  it('are admitted exactly up to the cap when there is none of the month yet', async () => {
    expect(await countAdmitted(20, (index) => reserve(index, 1))).toBe(1)
    expect(await countPermits(storage.db)).toEqual({ admitted: 1, leased: 1 })
  })

  it('are admitted exactly up to the cap, also while others settle or are released', async () => {
    const call = async (index: number) => {
      const lease = await reserve(index, 15)
      if (index % 3 === 0) return releaseQuota(serverOf(index), lease)
      return settle(index, lease)
    }
    await countAdmitted(120, call)
    expect(await used()).toBeLessThanOrEqual(15)
    // Whatever was released can be had again, and no more.
    await countAdmitted(40, () => call(1))
    expect(await used()).toBe(15)
  })

  it('are charged or swept, never both', async () => {
    const leases = await Promise.all(Array.from({ length: 40 }, (_, index) => reserve(index, 40)))
    const [settled] = await Promise.all([
      countAdmitted(40, (index) => settle(index, leases[index]!)),
      letLeasesLapse(storage.db),
      returnLapsed(servers[0]!, NOON),
      returnLapsed(servers[1]!, NOON),
    ])
    await returnLapsed(storage.db, NOON)
    expect(await countPermits(storage.db)).toEqual({ admitted: settled, leased: 0 })
  })

  it('take the places of lapsed ones exactly once', async () => {
    await countAdmitted(10, (index) => reserve(index, 10))
    await letLeasesLapse(storage.db)
    expect(await countAdmitted(60, (index) => reserve(index, 10))).toBe(10)
    expect(await countPermits(storage.db)).toEqual({ admitted: 10, leased: 10 })
  })
})
