import { sql } from 'kysely'
import { openDatabase, type Database } from '../../src/database/open-database.js'
import { createRateLimiter, type RateLimiter } from '../../src/metering/rate-limit.js'
import { createSharedRateLimiter } from '../../src/metering/shared-rate-limiter.js'
import { openCuttingProxy } from '../_cutting-proxy.js'
import { describeOnPostgres, isOnPostgres, openTestDatabase } from '../_database.js'
import { NOON, openStorage, SECOND, type StorageFixture } from '../organizations/_storage.js'
import { ageRateWindows } from './_rate-windows.js'

/** What the limiter of one server and that of several have in common; the tests give slow machines ten seconds. */
let storage: StorageFixture
let servers: Database[]
let limiters: RateLimiter[]
let now: number

beforeEach(async () => {
  now = NOON
  storage = await openStorage()
  servers = isOnPostgres ? [storage.db, await openTestDatabase(storage.dataDir)] : []
  const memory = createRateLimiter()
  limiters = isOnPostgres ? servers.map(createSharedRateLimiter) : [memory, memory]
})
afterEach(async () => {
  await servers[1]?.destroy()
  await storage.remove()
})

async function pass(seconds: number) {
  now += seconds * SECOND
  if (!isOnPostgres) return
  await ageRateWindows(storage.db, seconds)
  // Refusals that they remember are not older.
  limiters = servers.map(createSharedRateLimiter)
}

const take = (key: string, limit: number, server = 0) => limiters[server]!.take(key, limit, now)
const takeMany = async (count: number, limit: number) => {
  const decisions = await Promise.all(
    Array.from({ length: count }, (_, index) => take('a', limit, index % 2)),
  )
  return decisions.filter(({ allowed }) => allowed).length
}

describe('a rate limit', () => {
  it('allows as many requests as the limit, then returns the time to wait', async () => {
    expect(await take('a', 2)).toMatchObject({ allowed: true, limit: 2, remaining: 1 })
    await pass(10)
    expect(await take('a', 2, 1)).toMatchObject({
      allowed: true,
      remaining: 0,
      retryAfterSeconds: 0,
    })
    await pass(10)
    const refused = await take('a', 2)
    expect(refused).toMatchObject({ allowed: false, limit: 2, remaining: 0 })
    expect(refused.retryAfterSeconds).toBe(refused.resetSeconds)
    expect(refused.resetSeconds).toBeGreaterThan(30)
    expect(refused.resetSeconds).toBeLessThanOrEqual(41)
  })

  it('counts requests of all servers, at the same time too', async () => {
    expect(await takeMany(60, 20)).toBe(20)
  })

  it('lets requests go 60 seconds after they were allowed', async () => {
    await takeMany(5, 5)
    await pass(49)
    expect(await takeMany(1, 5)).toBe(0)
    await pass(12)
    expect(await takeMany(10, 5)).toBe(5)
  })

  it('counts each key separately', async () => {
    await take('test', 1)
    expect((await take('test', 1)).allowed).toBe(false)
    expect((await take('live', 1)).allowed).toBe(true)
  })

  it('keeps its counts when the plan changes', async () => {
    await takeMany(10, 10)
    expect(await take('a', 12)).toMatchObject({ allowed: true, remaining: 1 })
    expect(await take('a', 3)).toMatchObject({ allowed: false, remaining: 0 })
    await pass(61)
    expect(await take('a', 3)).toMatchObject({ allowed: true, remaining: 2 })
  })

  it('has room again for a request that was given back, and for no other', async () => {
    await take('a', 2)
    const { takenAt } = await take('a', 2)
    expect((await take('a', 2)).allowed).toBe(false)
    await limiters[0]!.giveBack('a', takenAt)
    expect(await take('a', 2)).toMatchObject({ allowed: true, remaining: 0 })
    expect((await take('a', 2)).allowed).toBe(false)
  })

  it('takes no more than four attempts for each request, those given back included', async () => {
    for (let attempt = 0; attempt < 8; attempt++) {
      const { allowed, takenAt } = await take('a', 2)
      expect(allowed).toBe(true)
      await limiters[0]!.giveBack('a', takenAt)
    }
    const refused = await take('a', 2)
    expect(refused.allowed).toBe(false)
    expect(refused.retryAfterSeconds).toBeGreaterThan(45)
    await pass(61)
    expect((await take('a', 2)).allowed).toBe(true)
  })

  it('gives nothing back after its minute', async () => {
    const { takenAt } = await take('a', 1)
    await pass(61)
    await take('a', 1)
    await limiters[0]!.giveBack('a', isOnPostgres ? takenAt - 61 : takenAt)
    expect((await take('a', 1)).allowed).toBe(false)
  })

  it('forgets idle keys only', async () => {
    await take('idle', 1)
    await pass(50)
    await take('busy', 1)
    await pass(12)
    await limiters[0]!.sweep(now)
    expect((await take('busy', 1)).allowed).toBe(false)
    expect((await take('idle', 1)).allowed).toBe(true)
  })
})

describeOnPostgres('a rate limit of several servers', () => {
  const forget = () => sql`delete from rate_windows`.execute(storage.db)

  it('is kept by a server for a second that was refused, without asking again', async () => {
    await take('a', 1)
    const refused = await take('a', 1)
    await forget()
    expect(await take('a', 1)).toEqual(refused)
    expect((await take('a', 1, 1)).allowed).toBe(true)
  })

  it('is asked again after that second, or when the plan allows more', async () => {
    await take('a', 1)
    await take('a', 1)
    await forget()
    expect((await take('a', 2)).allowed).toBe(true)
    await take('b', 1)
    await take('b', 1)
    await forget()
    await new Promise((resolve) => setTimeout(resolve, 1_050))
    expect((await take('b', 1)).allowed).toBe(true)
  })

  it('leaves no row of an idle key', async () => {
    await take('a', 1)
    await pass(70)
    await limiters[0]!.sweep(now)
    expect((await sql`select * from rate_windows`.execute(storage.db)).rows).toEqual([])
  })

  it('recovers when the clock of the database is set back', async () => {
    await take('a', 1)
    await pass(-30)
    expect((await take('a', 1)).allowed).toBe(false)
    await pass(-40)
    expect((await take('a', 1)).allowed).toBe(true)
  })

  it('allows nothing while the database cannot be used', async () => {
    const proxy = await openCuttingProxy(storage.postgres!.url)
    const postgres = { ...storage.postgres!, url: proxy.url }
    const away = await openDatabase(storage.dataDir, { postgres })
    const limiter = createSharedRateLimiter(away)
    const { takenAt } = await limiter.take('a', 5, now)
    await proxy.close()
    await expect(limiter.take('a', 5, now)).rejects.toMatchObject({
      code: 'storage_unavailable',
      status: 503,
    })
    await limiter.giveBack('a', takenAt)
    await away.destroy()
  })
})
