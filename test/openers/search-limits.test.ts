import { describe, expect, it } from '@jest/globals'
import { chooseCandidate } from '../../src/openers/search-limits.js'

const LIMITS = { goodScore: 0.7, acceptableScore: 0.6, enoughPassed: Infinity }

interface Wished {
  isFresh?: boolean
  preference?: number
}

function passed(name: string, score: number, { isFresh = true, preference }: Wished = {}) {
  return { name, score, isFresh, preference }
}

function choose(
  candidates: ReturnType<typeof passed>[],
  {
    minScore = LIMITS.acceptableScore,
    ...limits
  }: Partial<typeof LIMITS & { minScore: number }> = {},
) {
  return chooseCandidate(candidates, { ...LIMITS, ...limits }, minScore)?.name
}

describe('the chosen candidate', () => {
  it('is the best, regardless of the order', () => {
    expect(choose([passed('good', 0.72), passed('best', 0.81), passed('late', 0.75)])).toBe('best')
  })

  it('is a good one with a fresh detail rather than a better one without', () => {
    const same = passed('same detail', 0.9, { isFresh: false })
    expect(choose([same, passed('fresh', 0.71)])).toBe('fresh')
    expect(choose([same, passed('fresh', 0.65)])).toBe('same detail')
  })

  it('is an acceptable one if none is good, and undefined if none is acceptable', () => {
    expect(choose([passed('fair', 0.62), passed('poor', 0.3)])).toBe('fair')
    expect(choose([passed('poor', 0.3)])).toBeUndefined()
    expect(choose([])).toBeUndefined()
  })

  it('is the best, whatever its score, if enough candidates passed', () => {
    expect(choose([passed('a', 0.2), passed('b', 0.4)], { enoughPassed: 2 })).toBe('b')
  })

  it('is the best, whatever its score, in a search that needs none', () => {
    expect(choose([passed('a', 0.2), passed('b', 0.4)], { minScore: -Infinity })).toBe('b')
  })
})

describe('the chosen candidate, where replies were learnt from', () => {
  it('is the preferred of the good ones, not the best', () => {
    const candidates = [
      passed('best', 0.9, { preference: -0.2 }),
      passed('preferred', 0.71, { preference: 0.3 }),
      passed('not good', 0.69, { preference: 2 }),
    ]
    expect(choose(candidates)).toBe('preferred')
  })

  it('has a fresh detail, however much another is preferred', () => {
    const candidates = [
      passed('same detail', 0.9, { isFresh: false, preference: 2 }),
      passed('fresh', 0.71, { preference: -1 }),
    ]
    expect(choose(candidates)).toBe('fresh')
  })

  it('is the best of those that are preferred alike', () => {
    const candidates = [
      passed('worse', 0.75, { preference: 0.5 }),
      passed('better', 0.85, { preference: 0.5 }),
      passed('best', 0.95, { preference: 0.1 }),
    ]
    expect(choose(candidates)).toBe('better')
  })

  it('is the preferred of the acceptable ones if none is good', () => {
    const candidates = [
      passed('fair', 0.65, { preference: -1 }),
      passed('preferred', 0.61, { preference: 0 }),
      passed('poor', 0.59, { preference: 2 }),
    ]
    expect(choose(candidates)).toBe('preferred')
    expect(choose(candidates, { minScore: LIMITS.goodScore })).toBeUndefined()
  })

  it('is the best where none is acceptable, but one is needed', () => {
    const candidates = [
      passed('poor', 0.5, { preference: -1 }),
      passed('senseless', 0.1, { preference: 2 }),
    ]
    expect(choose(candidates, { minScore: -Infinity })).toBe('poor')
  })

  it('is the preferred of enough that passed, for a pack without a reranker', () => {
    const limits = { goodScore: Infinity, acceptableScore: -Infinity, enoughPassed: 2 }
    const candidates = [
      passed('best', 1.2, { preference: 0 }),
      passed('preferred', 0.4, { preference: 1 }),
    ]
    expect(choose(candidates, { ...limits, minScore: Infinity })).toBe('preferred')
    expect(choose(candidates.slice(1), { ...limits, minScore: Infinity })).toBeUndefined()
  })
})
