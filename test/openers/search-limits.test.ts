import { describe, expect, it } from '@jest/globals'
import { chooseCandidate } from '../../src/openers/search-limits.js'

const LIMITS = { goodScore: 0.7, acceptableScore: 0.6, enoughPassed: Infinity }

function passed(name: string, score: number, isFresh = true) {
  return { name, score, isFresh }
}

describe('the chosen candidate', () => {
  const choose = (candidates: ReturnType<typeof passed>[], limits = LIMITS) =>
    chooseCandidate(candidates, limits)?.name

  it('is the best, regardless of the order', () => {
    expect(choose([passed('good', 0.72), passed('best', 0.81), passed('late', 0.75)])).toBe('best')
  })

  it('is a good one with a fresh detail rather than a better one without', () => {
    expect(choose([passed('same detail', 0.9, false), passed('fresh', 0.71)])).toBe('fresh')
    expect(choose([passed('same detail', 0.9, false), passed('fresh', 0.65)])).toBe('same detail')
  })

  it('is an acceptable one if none is good, and undefined if none is acceptable', () => {
    expect(choose([passed('fair', 0.62), passed('poor', 0.3)])).toBe('fair')
    expect(choose([passed('poor', 0.3)])).toBeUndefined()
    expect(choose([])).toBeUndefined()
  })

  it('is the best, whatever its score, if enough candidates passed', () => {
    expect(choose([passed('a', 0.2), passed('b', 0.4)], { ...LIMITS, enoughPassed: 2 })).toBe('b')
  })
})
