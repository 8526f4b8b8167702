import { EngineError, type EngineFailure } from '../../../src/inference/engines/engine-error.js'
import {
  EnginePool,
  type EnginePoolOptions,
  type PooledCall,
} from '../../../src/inference/engines/engine-pool.js'
import { until } from '../workers/_fixture-host.js'

interface FakeEngine {
  name: string
  isAway: boolean
  /** What it answers to calls, in place of serving them. */
  failure?: EngineFailure | undefined
  /** Why it does not pass verification. */
  difference?: string | undefined
  served: number
  verified: number
}

const TIMES = { attemptMs: 200, checkMs: 5, retryMs: 5, maxRetryMs: 10, checksPerVerification: 3 }
const pools: EnginePool<FakeEngine>[] = []
afterEach(() => {
  for (const pool of pools.splice(0)) pool.close()
})

function openPool(count: number, options: Partial<EnginePoolOptions<FakeEngine>> = {}) {
  const engines = Array.from({ length: count }, (_, index): FakeEngine => ({
    name: `engine-${index}`,
    isAway: false,
    served: 0,
    verified: 0,
  }))
  const answer = async (engine: FakeEngine) => {
    if (engine.isAway) throw new EngineError('connection', 'cannot be reached (ECONNREFUSED)')
  }
  const pool = new EnginePool<FakeEngine>({
    engines,
    verify: async (engine) => {
      engine.verified += 1
      await answer(engine)
      if (engine.difference !== undefined) throw new EngineError('mismatch', engine.difference)
    },
    check: answer,
    times: TIMES,
    ...options,
  })
  pools.push(pool)
  const signal = new AbortController().signal
  const call = (options: Partial<PooledCall> = {}) =>
    pool.run(
      async (engine) => {
        await answer(engine)
        if (engine.failure) throw new EngineError(engine.failure, 'answered 503')
        engine.served += 1
        return engine.name
      },
      { signal, ...options },
    )
  return { pool, engines, call }
}

describe('a pool of engines', () => {
  it('spreads calls over all engines', async () => {
    const { pool, engines, call } = openPool(2)
    await pool.start()
    await until(() => pool.serving === 2)
    await Promise.all(Array.from({ length: 40 }, () => call()))
    for (const { served } of engines) expect(served).toBeGreaterThan(0)
  })

  it('compares two different engines and takes the less busy one', async () => {
    const { pool } = openPool(2)
    await pool.start()
    await until(() => pool.serving === 2)
    const taken: string[] = []
    const { signal } = new AbortController()
    const work = async ({ name }: FakeEngine) => {
      taken.push(name)
      await until(() => taken.length === 40)
    }
    await Promise.all(Array.from({ length: 40 }, () => pool.run(work, { signal })))
    // Each pair of calls finds both equally busy, then one of them busier.
    for (let i = 0; i < taken.length; i += 2) expect(taken[i]).not.toBe(taken[i + 1])
  })

  it('keeps calls with something in common at one engine', async () => {
    const { pool, engines, call } = openPool(3)
    await pool.start()
    await until(() => pool.serving === 3)
    const affinity = {}
    const names = await Promise.all(Array.from({ length: 12 }, () => call({ affinity })))
    expect(new Set(names).size).toBe(1)
    engines.find(({ name }) => name === names[0])!.isAway = true
    expect(await call({ affinity })).not.toBe(names[0])
  })

  it('answers every call while one of two engines is away', async () => {
    const { pool, engines, call } = openPool(2, { times: { ...TIMES, checkMs: 60_000 } })
    await pool.start()
    await until(() => pool.serving === 2)
    engines[0]!.isAway = true
    const names = await Promise.all(Array.from({ length: 40 }, () => call()))
    expect(new Set(names)).toEqual(new Set(['engine-1']))
    expect(pool.problem).toBeUndefined()
  })

  it('says which engine is away and why when none is left, and recovers', async () => {
    const { pool, engines, call } = openPool(1)
    await pool.start()
    engines[0]!.isAway = true
    await expect(call()).rejects.toThrow(EngineError)
    await until(() => pool.serving === 0)
    expect(pool.problem).toBe('engine-0: cannot be reached (ECONNREFUSED)')
    await expect(call()).rejects.toThrow('engine-0: cannot be reached')
    engines[0]!.isAway = false
    await until(() => pool.problem === undefined)
    await expect(call()).resolves.toBe('engine-0')
  })

  it('notices without a call that an engine is away', async () => {
    const { pool, engines } = openPool(1)
    await pool.start()
    engines[0]!.isAway = true
    await until(() => pool.problem !== undefined)
    expect(pool.serving).toBe(0)
  })

  it('takes out an engine that comes back with another model', async () => {
    const { pool, engines } = openPool(1)
    await pool.start()
    engines[0]!.difference = 'has another model'
    await until(() => pool.problem !== undefined)
    expect(pool.problem).toBe('engine-0: has another model')
    engines[0]!.difference = undefined
    await until(() => pool.serving === 1)
  })

  it('starts when one of its engines serves, and refuses to start when none does', async () => {
    const late = openPool(2)
    late.engines[0]!.isAway = true
    await late.pool.start()
    expect(late.pool.serving).toBe(1)
    const none = openPool(2)
    for (const engine of none.engines) engine.difference = 'has no model clip'
    await expect(none.pool.start()).rejects.toThrow(
      'engine-0: has no model clip; engine-1: has no model clip',
    )
  })

  it('gives an engine a limited time for an answer, then asks another one', async () => {
    const { pool } = openPool(2)
    await pool.start()
    await until(() => pool.serving === 2)
    let slow: string | undefined
    const name = await pool.run(
      async (engine, signal) => {
        slow ??= engine.name
        if (engine.name !== slow) return engine.name
        return untilAborted(signal)
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
        (_, signal) => {
          const aborted = untilAborted(signal)
          controller.abort()
          return aborted
        },
        { signal: controller.signal },
      )
      await expect(call).rejects.toMatchObject({ name: 'AbortError' })
    }
    expect(pool.serving).toBe(1)
  })

  it('asks another engine when one is busy, and does not count that as a failure', async () => {
    const { pool, engines, call } = openPool(2, { times: { ...TIMES, checkMs: 60_000 } })
    await pool.start()
    await until(() => pool.serving === 2)
    engines[0]!.failure = 'busy'
    for (let i = 0; i < 40; i++) expect(await call()).toBe('engine-1')
    expect(pool.serving).toBe(2)
    engines[1]!.failure = 'busy'
    await expect(call()).rejects.toMatchObject({ failure: 'busy' })
    expect(pool.serving).toBe(2)
  })

  it('ejects an engine after three failures in a row, and not before', async () => {
    const events: string[] = []
    const { pool, engines, call } = openPool(1, {
      times: { ...TIMES, checkMs: 60_000, retryMs: 60_000 },
      onChange: ({ name }, { event }) => events.push(`${name} ${event}`),
    })
    await pool.start()
    const [engine] = engines as [FakeEngine]
    const fail = async () => {
      engine.failure = 'refused'
      await expect(call()).rejects.toMatchObject({ failure: 'refused' })
      engine.failure = undefined
    }
    // A call asks the only engine twice.
    await fail()
    await call()
    await fail()
    expect(pool.serving).toBe(1)
    await fail()
    expect(pool.serving).toBe(0)
    expect(pool.state).toBe('restarting')
    expect(events).toEqual(['engine-0 ready', 'engine-0 ejected'])
  })

  it('verifies an engine at once after a broken connection, and repeats the call there', async () => {
    const { pool, engines, call } = openPool(1, {
      times: { ...TIMES, checkMs: 60_000, retryMs: 60_000 },
    })
    await pool.start()
    const [engine] = engines as [FakeEngine]
    let isBroken = true
    const name = await pool.run(
      async (each) => {
        if (!isBroken) return each.name
        isBroken = false
        throw new EngineError('connection', 'broke off its answer')
      },
      { signal: new AbortController().signal },
    )
    expect(name).toBe('engine-0')
    expect(engine.verified).toBe(2)
    expect(await call()).toBe('engine-0')
  })

  it('keeps an engine that is late for a check, and ejects one that is late three times', async () => {
    let checks = 0
    let late = 0
    let isLate = true
    const { pool } = openPool(1, {
      times: { ...TIMES, checkLimitMs: 5, retryMs: 60_000, checksPerVerification: Infinity },
      check: async (_, signal) => {
        checks += 1
        if (!isLate) return
        late += 1
        isLate = late !== 2
        await untilAborted(signal)
      },
    })
    await pool.start()
    await until(() => checks === 3)
    expect([late, pool.serving]).toEqual([2, 1])
    isLate = true
    await until(() => pool.serving === 0)
    expect(late).toBe(5)
    expect(pool.problem).toContain('did not answer within')
  })

  it('leaves half of the time to another engine', async () => {
    const { pool } = openPool(2, { times: { ...TIMES, attemptMs: 60_000 } })
    await pool.start()
    await until(() => pool.serving === 2)
    let hanging: string | undefined
    const name = await pool.run(
      async (engine, signal) => {
        hanging ??= engine.name
        return engine.name === hanging ? untilAborted(signal) : engine.name
      },
      { signal: new AbortController().signal, deadline: Date.now() + 2_500 },
    )
    expect(name).not.toBe(hanging)
  })

  it('counts a deadline that passed against the engine', async () => {
    const { pool } = openPool(1, { times: { ...TIMES, checkMs: 60_000, retryMs: 60_000 } })
    await pool.start()
    for (let i = 0; i < 3; i++) {
      const controller = new AbortController()
      const call = pool.run((_, signal) => untilAborted(signal), {
        signal: controller.signal,
        deadline: Date.now(),
      })
      controller.abort()
      await expect(call).rejects.toMatchObject({ name: 'AbortError' })
    }
    await until(() => pool.serving === 0)
    expect(pool.problem).toContain('deadline')
  })

  it('verifies engines anew when it is started again, and serves with none that failed', async () => {
    const { pool, engines } = openPool(2, { times: { ...TIMES, checkMs: 60_000 } })
    await pool.start()
    await until(() => pool.serving === 2)
    engines[0]!.difference = 'has another model'
    await pool.start()
    expect(pool.serving).toBe(1)
    engines[1]!.difference = 'has another model'
    await expect(pool.start()).rejects.toThrow('engine-1: has another model')
  })
})

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })
}
