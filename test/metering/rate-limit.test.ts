import { createRateLimiter } from '../../src/metering/rate-limit.js'
import { HOUR, MINUTE, NOON, SECOND } from '../organizations/_storage.js'

describe('the rate limiter in memory', () => {
  it('allows as many requests as the limit, then returns the time to wait', async () => {
    const limiter = createRateLimiter()
    const take = (now: number) => limiter.take('a', 3, now)
    expect(await take(NOON)).toEqual({
      allowed: true,
      limit: 3,
      remaining: 2,
      resetSeconds: 60,
      retryAfterSeconds: 0,
      takenAt: NOON,
    })
    expect(await take(NOON + 10 * SECOND)).toMatchObject({ allowed: true, remaining: 1 })
    expect(await take(NOON + 20 * SECOND)).toMatchObject({ allowed: true, remaining: 0 })
    expect(await take(NOON + 20_500)).toMatchObject({
      allowed: false,
      limit: 3,
      remaining: 0,
      resetSeconds: 40,
      retryAfterSeconds: 40,
    })
  })

  it('allows the request after the returned wait, and not a second earlier', async () => {
    for (const late of [0, 1, 499, 999, 1_000, 59_998, 59_999]) {
      const limiter = createRateLimiter()
      await limiter.take('a', 1, NOON)
      const { allowed, resetSeconds } = await limiter.take('a', 1, NOON + late)
      expect(allowed).toBe(false)
      const reset = NOON + late + resetSeconds * SECOND
      expect((await limiter.take('a', 1, reset - SECOND)).allowed).toBe(false)
      expect((await limiter.take('a', 1, reset)).allowed).toBe(true)
    }
  })

  it('never allows more than the limit in any 60 seconds', async () => {
    const limiter = createRateLimiter()
    const admitted: number[] = []
    let now = NOON
    let random = 7
    for (let request = 0; request < 5_000; request++) {
      random = (random * 48_271) % 2_147_483_647
      now += random % 10 === 0 ? (random % 90) * SECOND : random % 200
      if ((await limiter.take('a', 40, now)).allowed) admitted.push(now)
    }
    expect(admitted.length).toBeGreaterThan(1_000)
    const spans = admitted.slice(40).map((time, index) => time - (admitted[index] ?? 0))
    expect(Math.min(...spans)).toBeGreaterThanOrEqual(MINUTE)
  })

  it('does not prolong the wait for refused requests', async () => {
    const limiter = createRateLimiter()
    await limiter.take('a', 1, NOON)
    for (let second = 1; second < 60; second++) await limiter.take('a', 1, NOON + second * SECOND)
    expect((await limiter.take('a', 1, NOON + MINUTE)).allowed).toBe(true)
  })

  it('counts each key separately', async () => {
    const limiter = createRateLimiter()
    await limiter.take('test', 1, NOON)
    expect((await limiter.take('test', 1, NOON)).allowed).toBe(false)
    expect((await limiter.take('live', 1, NOON)).allowed).toBe(true)
  })

  it('keeps its counts when the plan changes', async () => {
    const limiter = createRateLimiter()
    for (let second = 0; second < 10; second++) await limiter.take('a', 10, NOON + second * SECOND)
    expect(await limiter.take('a', 12, NOON + 10 * SECOND)).toMatchObject({
      allowed: true,
      remaining: 1,
    })
    expect((await limiter.take('a', 3, NOON + 11 * SECOND)).allowed).toBe(false)
    expect(await limiter.take('a', 3, NOON + 69 * SECOND)).toMatchObject({
      allowed: true,
      remaining: 1,
    })
  })

  it('recovers when the clock is set back', async () => {
    const limiter = createRateLimiter()
    await limiter.take('a', 1, NOON)
    expect((await limiter.take('a', 1, NOON - SECOND)).allowed).toBe(false)
    expect((await limiter.take('a', 1, NOON - HOUR)).allowed).toBe(true)
  })

  it('removes only idle keys', async () => {
    const limiter = createRateLimiter()
    await limiter.take('idle', 1, NOON)
    await limiter.take('busy', 1, NOON + 30 * SECOND)
    await limiter.sweep(NOON + MINUTE)
    expect((await limiter.take('busy', 1, NOON + MINUTE)).allowed).toBe(false)
    expect((await limiter.take('idle', 1, NOON + MINUTE)).allowed).toBe(true)
  })
})
