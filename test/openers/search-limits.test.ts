import { describe, expect, it } from '@jest/globals'
import { chooseCandidate } from '../../src/openers/search-limits.js'

const LIMITS = { good: 0.7, acceptable: 0.6, enough: Infinity }

function passed(name: string, score: number, isFresh = true) {
  return { name, score, isFresh }
}

describe('the choice among candidates that passed', () => {
  const choose = (candidates: ReturnType<typeof passed>[], limits = LIMITS) =>
    chooseCandidate(candidates, limits)?.name

  it('is the best, whichever was written first', () => {
    expect(choose([passed('good', 0.72), passed('best', 0.81), passed('late', 0.75)])).toBe('best')
  })

  it('is rather a good one with a new detail than a better one without', () => {
    expect(choose([passed('same detail', 0.9, false), passed('fresh', 0.71)])).toBe('fresh')
    expect(choose([passed('same detail', 0.9, false), passed('fresh', 0.65)])).toBe('same detail')
  })

  it('is an acceptable one where none is good, and none below that', () => {
    expect(choose([passed('fair', 0.62), passed('poor', 0.3)])).toBe('fair')
    expect(choose([passed('poor', 0.3)])).toBeUndefined()
    expect(choose([])).toBeUndefined()
  })

  it('is the best of what there is where that is enough', () => {
    expect(choose([passed('a', 0.2), passed('b', 0.4)], { ...LIMITS, enough: 2 })).toBe('b')
  })
})
