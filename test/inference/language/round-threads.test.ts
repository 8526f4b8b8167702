import { RoundThreads } from '../../../src/inference/language/round-threads.js'

/** Rounds of a given duration, by a fake clock. */
function setUp() {
  let now = 1_000
  const threads = new RoundThreads({ threads: 4, clock: () => now })
  return {
    pass: (ms: number) => {
      now += ms
    },
    /** Runs a round of `tokens` that takes `ms`; returns the threads it used. */
    round: async (tokens: number, ms: number) => {
      let used: number | undefined
      await threads.measure(tokens, async (count) => {
        used = count
        now += ms
      })
      return used
    },
  }
}

describe('RoundThreads', () => {
  it('uses one thread for the first small round as a reference, then all', async () => {
    const { round } = setUp()

    expect(await round(2, 15)).toBe(1)
    expect(await round(1, 8)).toBe(4)
    expect(await round(128, 300)).toBe(4)
  })

  it('uses one thread for a multiple of the time that a held-up round lost', async () => {
    const { round, pass } = setUp()
    await round(1, 10)

    expect(await round(128, 40_000)).toBe(4)
    pass(19 * 38_000)
    expect(await round(128, 600)).toBe(1)
    pass(2 * 38_000)
    expect(await round(128, 300)).toBe(4)
    expect(await round(128, 300)).toBe(4)
  })

  it('uses one thread after many slightly held-up rounds', async () => {
    const { round } = setUp()
    await round(1, 10)
    await round(4, 8)

    for (let i = 0; i < 5; i++) expect(await round(4, 100)).toBe(4)
    expect(await round(4, 100)).toBe(1)
  })

  it('keeps using all threads when later rounds make up for a held-up one', async () => {
    const { round } = setUp()
    await round(1, 10)

    for (let i = 0; i < 20; i++) {
      expect(await round(4, 200)).toBe(4)
      for (let j = 0; j < 5; j++) expect(await round(4, 20)).toBe(4)
    }
  })

  it('ignores the duration of a failed round', async () => {
    const threads = new RoundThreads({ threads: 4 })
    const failure = threads.measure(1, () => Promise.reject(new Error('no memory')))
    await expect(failure).rejects.toThrow('no memory')

    let used = 0
    await threads.measure(1, async (count) => {
      used = count
    })
    expect(used).toBe(1)
  })
})
