import { forecastMonth } from '../../src/usage/forecast-month.js'

const DAY = 24 * 60 * 60 * 1_000
/** Twenty full days into a month of thirty. */
const NOW = Date.UTC(2026, 5, 21)
const OPEN = { included: 10_000, hardCap: undefined }

describe('forecastMonth', () => {
  it('adds the mean of the last full days for every day that is left', () => {
    const forecast = forecastMonth({
      used: 2_000,
      lastFullDays: [70, 80, 90, 100, 110, 120, 130],
      limits: OPEN,
      now: NOW,
    })
    expect(forecast).toEqual({
      callsPerDay: 100,
      fullDays: 7,
      expected: 3_000,
      includedReachedAt: undefined,
      hardCapReachedAt: undefined,
    })
  })

  it('counts the rest of the current day as a fraction', () => {
    const forecast = forecastMonth({
      used: 0,
      lastFullDays: [100, 100, 100],
      limits: OPEN,
      now: Date.UTC(2026, 5, 30, 18),
    })
    expect(forecast?.expected).toBe(25)
  })

  it('returns undefined with fewer than three full days', () => {
    const month = { used: 50, limits: OPEN, now: NOW }
    expect(forecastMonth({ ...month, lastFullDays: [] })).toBeUndefined()
    expect(forecastMonth({ ...month, lastFullDays: [25, 25] })).toBeUndefined()
    expect(forecastMonth({ ...month, lastFullDays: [25, 25, 0] })).toBeDefined()
  })

  it('returns when a limit would be reached', () => {
    const forecast = forecastMonth({
      used: 2_000,
      lastFullDays: [100, 100, 100],
      limits: { included: 2_500, hardCap: 2_900 },
      now: NOW,
    })
    expect(forecast?.includedReachedAt).toBe(NOW + 5 * DAY)
    expect(forecast?.hardCapReachedAt).toBe(NOW + 9 * DAY)
  })

  it('omits limits that the month does not reach or has already passed', () => {
    const forecast = forecastMonth({
      used: 2_000,
      lastFullDays: [100, 100, 100],
      limits: { included: 1_999, hardCap: 3_000 },
      now: NOW,
    })
    expect(forecast?.includedReachedAt).toBeUndefined()
    expect(forecast?.hardCapReachedAt).toBeUndefined()
  })
})
