import {
  BackendPool,
  type BackendPoolOptions,
} from '../../../src/inference/engines/backend-pool.js'
import { EngineError } from '../../../src/inference/engines/http-request.js'
import { until } from '../workers/_fixture-host.js'

interface FakeBackend {
  name: string
  isAway: boolean
  /** Why it does not pass verification. */
  difference?: string | undefined
  served: number
  verified: number
}

const TIMES = { attemptMs: 200, checkMs: 5, retryMs: 5, maxRetryMs: 10, checksPerVerification: 3 }
const pools: BackendPool<FakeBackend>[] = []
afterEach(() => {
  for (const pool of pools.splice(0)) pool.close()
})

function openPool(count: number, options: Partial<BackendPoolOptions<FakeBackend>> = {}) {
  const backends = Array.from({ length: count }, (_, index): FakeBackend => ({
    name: `engine-${index}`,
    isAway: false,
    served: 0,
    verified: 0,
  }))
  const answer = async (backend: FakeBackend) => {
    if (backend.isAway) throw new EngineError('cannot be reached (ECONNREFUSED)')
  }
  const pool = new BackendPool<FakeBackend>({
    backends,
    concurrency: 8,
    verify: async (backend) => {
      backend.verified += 1
      await answer(backend)
      if (backend.difference !== undefined) throw new EngineError(backend.difference)
    },
    check: answer,
    times: TIMES,
    ...options,
  })
  pools.push(pool)
  const signal = new AbortController().signal
  const call = () =>
    pool.run(
      async (backend) => {
        await answer(backend)
        backend.served += 1
        return backend.name
      },
      { signal },
    )
  return { pool, backends, call }
}

describe('a pool of engines', () => {
  it('spreads calls over all engines', async () => {
    const { pool, backends, call } = openPool(2)
    await pool.start()
    await until(() => pool.serving === 2)
    await Promise.all(Array.from({ length: 40 }, call))
    for (const { served } of backends) expect(served).toBeGreaterThan(0)
  })

  it('answers every call while one of two engines is away', async () => {
    const { pool, backends, call } = openPool(2, { times: { ...TIMES, checkMs: 60_000 } })
    await pool.start()
    await until(() => pool.serving === 2)
    backends[0]!.isAway = true
    const names = await Promise.all(Array.from({ length: 40 }, call))
    expect(new Set(names)).toEqual(new Set(['engine-1']))
    expect(pool.problem).toBeUndefined()
  })

  it('says which engine is away and why when none is left, and recovers', async () => {
    const { pool, backends, call } = openPool(1)
    await pool.start()
    backends[0]!.isAway = true
    await expect(call()).rejects.toThrow(EngineError)
    await until(() => pool.serving === 0)
    expect(pool.problem).toBe('engine-0 cannot be reached (ECONNREFUSED)')
    await expect(call()).rejects.toThrow('engine-0 cannot be reached')
    backends[0]!.isAway = false
    await until(() => pool.problem === undefined)
    await expect(call()).resolves.toBe('engine-0')
  })

  it('notices without a call that an engine is away', async () => {
    const { pool, backends } = openPool(1)
    await pool.start()
    backends[0]!.isAway = true
    await until(() => pool.problem !== undefined)
    expect(pool.serving).toBe(0)
  })

  it('takes out an engine that comes back with another model', async () => {
    const { pool, backends } = openPool(1)
    await pool.start()
    backends[0]!.difference = 'has another model'
    await until(() => pool.problem !== undefined)
    expect(pool.problem).toBe('engine-0 has another model')
    backends[0]!.difference = undefined
    await until(() => pool.serving === 1)
  })

  it('starts when one of its engines serves, and refuses to start when none does', async () => {
    const late = openPool(2)
    late.backends[0]!.isAway = true
    await late.pool.start()
    expect(late.pool.serving).toBe(1)
    const none = openPool(2)
    for (const backend of none.backends) backend.difference = 'has no model clip'
    await expect(none.pool.start()).rejects.toThrow(
      'engine-0 has no model clip; engine-1 has no model clip',
    )
  })

  it('gives an engine a limited time for an answer, then asks another one', async () => {
    const { pool } = openPool(2)
    await pool.start()
    await until(() => pool.serving === 2)
    let slow: string | undefined
    const name = await pool.run(
      async (backend, signal) => {
        slow ??= backend.name
        if (backend.name !== slow) return backend.name
        return new Promise<string>((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error))
        })
      },
      { signal: new AbortController().signal },
    )
    expect(name).not.toBe(slow)
  })

  it('ends an aborted call at once and does not count it against the engine', async () => {
    const { pool } = openPool(1, { times: { ...TIMES, attemptMs: 60_000 } })
    await pool.start()
    for (let i = 0; i < 5; i++) {
      const controller = new AbortController()
      const call = pool.run(
        (_, signal) =>
          new Promise<never>((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error))
            controller.abort()
          }),
        { signal: controller.signal },
      )
      await expect(call).rejects.toMatchObject({ name: 'AbortError' })
    }
    expect(pool.serving).toBe(1)
  })

  it('sends no more calls at a time than it may', async () => {
    const { pool } = openPool(2, { concurrency: 3 })
    await pool.start()
    let running = 0
    let most = 0
    const { signal } = new AbortController()
    const work = async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
    }
    await Promise.all(Array.from({ length: 20 }, () => pool.run(work, { signal })))
    expect(most).toBe(3)
  })
})
