const DAY_MS = 24 * 60 * 60 * 1_000
const DAYS = 365
/** Requests by hour in UTC, for a partner in Europe: people write most in the evening. */
const HOUR_WEIGHTS = [3, 2, 1, 1, 1, 1, 2, 3, 4, 5, 5, 5, 6, 6, 6, 7, 8, 10, 12, 14, 15, 14, 10, 6]
/** From Sunday, the busiest day of dating apps. */
const WEEKDAY_WEIGHTS = [1.28, 1.06, 1, 0.98, 0.97, 0.86, 0.93]
/** Requests at the end of the year for each one at its start. */
const GROWTH = 3

export interface DayPlan {
  /** Days since the epoch. */
  day: number
  /** Milliseconds since the epoch. */
  startsAt: number
  /** Fraction of the year's requests. */
  fraction: number
}

/**
 * Distributes a year's requests over its days: growth, weekdays, more in winter than in summer, peaks around New Year and
 * Valentine's Day.
 * @param now - time of the last day; its remaining hours get no requests
 */
export function planYear(now: number): DayPlan[] {
  const today = Math.floor(now / DAY_MS)
  const days = Array.from({ length: DAYS }, (_, index) => {
    const day = today - DAYS + 1 + index
    const elapsed = day === today ? elapsedFraction(now) : 1
    return { day, weight: GROWTH ** (index / DAYS) * seasonalWeight(day) * elapsed }
  })
  const total = days.reduce((sum, { weight }) => sum + weight, 0)
  return days.map(({ day, weight }) => ({ day, startsAt: day * DAY_MS, fraction: weight / total }))
}

function seasonalWeight(day: number): number {
  const date = new Date(day * DAY_MS)
  const month = date.getUTCMonth()
  const season = 1 + 0.14 * Math.cos((2 * Math.PI * (month - 0.5)) / 12)
  const isPeak = (month === 0 && date.getUTCDate() < 10) || (month === 1 && date.getUTCDate() < 15)
  return season * (isPeak ? 1.2 : 1) * WEEKDAY_WEIGHTS[date.getUTCDay()]!
}

/** Fraction of a day's requests in each of its hours. */
export function hourFractions(): number[] {
  const total = HOUR_WEIGHTS.reduce((sum, weight) => sum + weight, 0)
  return HOUR_WEIGHTS.map((weight) => weight / total)
}

function elapsedFraction(now: number): number {
  const hour = new Date(now).getUTCHours()
  return hourFractions()
    .slice(0, hour + 1)
    .reduce((sum, fraction) => sum + fraction, 0)
}
