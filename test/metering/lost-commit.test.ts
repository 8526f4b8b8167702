import { randomUUID } from 'node:crypto'
import { openDatabase, type Database } from '../../src/database/open-database.js'
import { createIdempotency } from '../../src/metering/idempotency.js'
import { countUsage, type QuotaScope } from '../../src/metering/quota.js'
import { openCuttingProxy, type CuttingProxy } from '../_cutting-proxy.js'
import { describeOnPostgres } from '../_database.js'
import { MINUTE, NOON, openStorage, type StorageFixture } from '../organizations/_storage.js'
import { countPermits } from './_leases.js'
import { runMetered } from './_run-metered.js'

describeOnPostgres('a call whose connection breaks while its charge commits', () => {
  let storage: StorageFixture
  let proxy: CuttingProxy
  /** The same database through the proxy. */
  let db: Database
  let scope: QuotaScope

  beforeEach(async () => {
    storage = await openStorage()
    proxy = await openCuttingProxy(storage.postgres!.url)
    const postgres = { ...storage.postgres!, url: proxy.url }
    db = await openDatabase(storage.dataDir, { postgres })
    const { organizationId } = storage
    scope = { organizationId, environment: 'live', capability: 'events' }
  })
  afterEach(async () => {
    await db.destroy()
    await proxy.close()
    await storage.remove()
  })

  function call(when: 'before commit' | 'after commit', idempotencyKey?: string) {
    const clock = () => NOON
    return runMetered(
      { db, clock, idempotency: createIdempotency({ ...storage, db, clock }) },
      {
        scope,
        limits: { hardCap: 1 },
        idempotencyKey,
        bodyDigest: Buffer.from(''),
        deadline: NOON + MINUTE,
        signal: new AbortController().signal,
      },
      () => {
        proxy.cutNext(when)
        return Promise.resolve({ answer: { body: '{}', headers: {} } })
      },
    )
  }

  it('is answered when it was charged', async () => {
    expect(await call('after commit')).toMatchObject({ answer: { body: '{}' }, used: 1 })
    expect(await countUsage(storage.db, scope, NOON)).toBe(1)
  })

  it('is answered when it was charged, and its retry has the same answer', async () => {
    const key = randomUUID()
    expect(await call('after commit', key)).toMatchObject({ replayed: false })
    expect(await call('after commit', key)).toMatchObject({ replayed: true })
    expect(await countUsage(storage.db, scope, NOON)).toBe(1)
  })

  it('fails when it was not, and holds no permit', async () => {
    await expect(call('before commit')).rejects.toMatchObject({ code: 'storage_unavailable' })
    expect(await countPermits(storage.db)).toEqual({ admitted: 0, leased: 0 })
  })
})
