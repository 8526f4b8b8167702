import { wilsonInterval } from '../../src/events/wilson-interval.js'

describe('wilsonInterval', () => {
  // Source: R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('returns the published interval for %d of %d', (successes, trials, low, high) => {
    const interval = wilsonInterval(successes, trials)
    expect(interval.low).toBeCloseTo(low, 4)
    expect(interval.high).toBeCloseTo(high, 4)
  })

  it('stays within 0 and 1, also for fractions', () => {
    for (const [successes, trials] of [
      [0, 1 / 5],
      [1 / 5, 1 / 5],
      [1 / 3, 7 / 3],
      [7, 7],
    ] as const) {
      const { low, high } = wilsonInterval(successes, trials)
      expect(low).toBeGreaterThanOrEqual(0)
      expect(low).toBeLessThan(high)
      expect(high).toBeLessThanOrEqual(1)
    }
  })
})
