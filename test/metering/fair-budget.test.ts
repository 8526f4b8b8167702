import { createFairBudget, type FairBudget } from '../../src/metering/fair-budget.js'

describe('a budget of bytes that tenants share', () => {
  const LIMIT = 1_200
  const [one, two, three] = ['one', 'two', 'three'].map((id) => ({ id, weight: 1 })) as [
    { id: string; weight: number },
    { id: string; weight: number },
    { id: string; weight: number },
  ]
  const heavy = { id: 'heavy', weight: 3 }
  let budget: FairBudget
  let end: AbortController

  beforeEach(() => {
    budget = createFairBudget(LIMIT, 'Too much. Retry later.')
    end = new AbortController()
  })

  /** Takes bytes one by one until the budget refuses. */
  function takeAll(tenant: { id: string; weight: number }): number {
    const share = budget.open(tenant, end.signal)
    let taken = 0
    try {
      for (; taken <= LIMIT; taken += 1) share.add(1)
    } catch {
      // That was all.
    }
    return taken
  }

  it('gives one tenant half, and keeps room for the next ones', () => {
    expect(takeAll(one)).toBe(600)
    expect(takeAll(two)).toBe(300)
    expect(takeAll(three)).toBe(150)
  })

  it('gives a tenant no more for its weight', () => {
    expect(takeAll(heavy)).toBe(600)
    expect(takeAll(one)).toBe(300)
  })

  it('refuses what does not fit with a code and a time to retry, and takes nothing', () => {
    expect(() => budget.check(one, 601)).toThrow(
      expect.objectContaining({ code: 'overloaded', retryAfterSeconds: 5 }),
    )
    expect(() => budget.check(one, 600)).not.toThrow()
  })

  it('returns a share when its call ends', () => {
    takeAll(one)
    end.abort()
    end = new AbortController()
    expect(takeAll(two)).toBe(600)
  })

  it('counts all calls of a tenant together', () => {
    takeAll(one)
    expect(() => budget.open(one, end.signal).add(1)).toThrow('Too much')
  })
})
