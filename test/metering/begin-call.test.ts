import type { Database } from '../../src/database/open-database.js'
import { ServiceError } from '../../src/core/service-error.js'
import { createIdempotency } from '../../src/metering/idempotency.js'
import { countUsage, type QuotaScope } from '../../src/metering/quota.js'
import { letLeasesLapse } from './_leases.js'
import { runMetered, type Executed } from './_run-metered.js'
import { MINUTE, NOON, openStorage, type StorageFixture } from '../organizations/_storage.js'

const answer = { body: '{}', headers: {} }

let storage: StorageFixture
let scope: QuotaScope
let now: number

beforeEach(async () => {
  storage = await openStorage()
  const { organizationId } = storage
  scope = { organizationId, environment: 'test', capability: 'events' }
  now = NOON
})
afterEach(() => storage.remove())

/** A call on a plan with a hard cap of one. */
function call(
  execute: () => Promise<Executed> = () => Promise.resolve({ answer }),
  signal = new AbortController().signal,
) {
  const clock = () => now
  return runMetered(
    { db: storage.db, clock, idempotency: createIdempotency({ ...storage, clock }) },
    {
      scope,
      limits: { hardCap: 1 },
      idempotencyKey: undefined,
      bodyDigest: Buffer.from(''),
      deadline: now + MINUTE,
      signal,
    },
    execute,
  )
}

const used = () => countUsage(storage.db, scope, now)
const leases = () => storage.db.selectFrom('quota_leases').selectAll().execute()

describe('a metered call', () => {
  it('is charged when it succeeds, and the next one is refused', async () => {
    expect(await call()).toEqual({ answer, replayed: false, used: 1 })
    await expect(call()).rejects.toMatchObject({ code: 'quota_exceeded' })
    expect(await leases()).toEqual([])
  })

  it('is not charged when it fails', async () => {
    const failed = call(() => Promise.reject(new ServiceError('unsafe_content', 'no')))
    await expect(failed).rejects.toMatchObject({ code: 'unsafe_content' })
    expect([await used(), await leases()]).toEqual([0, []])
    expect(await call()).toMatchObject({ used: 1 })
  })

  it('is not charged when the client disconnects before the answer', async () => {
    const leaving = new AbortController()
    const execute = () => {
      leaving.abort()
      return Promise.resolve({ answer })
    }
    await expect(call(execute, leaving.signal)).rejects.toMatchObject({ name: 'AbortError' })
    expect([await used(), await leases()]).toEqual([0, []])
  })

  it('is recorded if and only if it is charged', async () => {
    const record = (transaction: Database) =>
      transaction
        .insertInto('service_metadata')
        .values({ name: `call at ${now}`, value: Buffer.alloc(0) })
        .execute()
        .then(() => undefined)
    const recorded = async () =>
      (
        await storage.db
          .selectFrom('service_metadata')
          .select('name')
          .where('name', 'like', 'call at %')
          .execute()
      ).length
    const lateExecute = async () => {
      await letLeasesLapse(storage.db)
      return { answer, record }
    }
    await expect(call(lateExecute)).rejects.toMatchObject({
      code: 'overloaded',
    })
    expect(await recorded()).toBe(0)
    await call(() => Promise.resolve({ answer, record }))
    expect(await recorded()).toBe(1)
  })

  it('is not charged after its lease has lapsed', async () => {
    const execute = async () => {
      await letLeasesLapse(storage.db)
      return { answer }
    }
    await expect(call(execute)).rejects.toMatchObject({ code: 'overloaded', status: 503 })
    expect([await used(), await leases()]).toEqual([0, []])
  })
})
