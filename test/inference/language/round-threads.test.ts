import { RoundThreads } from '../../../src/inference/language/round-threads.js'

/** Rounds of which each takes as long as it is said to. */
function setUp() {
  let now = 1_000
  const threads = new RoundThreads({ threads: 4, clock: () => now })
  return {
    pass: (ms: number) => {
      now += ms
    },
    /** The threads that were used for a round of so many tokens and milliseconds. */
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

describe('the threads of a round', () => {
  it('are one for the first small round, to know how fast one is, and then all', async () => {
    const { round } = setUp()

    expect(await round(2, 15)).toBe(1)
    expect(await round(1, 8)).toBe(4)
    expect(await round(128, 300)).toBe(4)
  })

  it('are one for many times as long as a round was held up', async () => {
    const { round, pass } = setUp()
    await round(1, 10)

    expect(await round(128, 40_000)).toBe(4)
    pass(19 * 38_000)
    expect(await round(128, 600)).toBe(1)
    pass(2 * 38_000)
    expect(await round(128, 300)).toBe(4)
    expect(await round(128, 300)).toBe(4)
  })

  it('are one after many rounds that were each held up a little', async () => {
    const { round } = setUp()
    await round(1, 10)
    await round(4, 8)

    for (let i = 0; i < 5; i++) expect(await round(4, 100)).toBe(4)
    expect(await round(4, 100)).toBe(1)
  })

  it('stay all where later rounds make up for one that was held up', async () => {
    const { round } = setUp()
    await round(1, 10)

    for (let i = 0; i < 20; i++) {
      expect(await round(4, 200)).toBe(4)
      for (let j = 0; j < 5; j++) expect(await round(4, 20)).toBe(4)
    }
  })

  it('learn nothing from a round that fails', async () => {
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
