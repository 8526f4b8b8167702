const DAY_MS = 24 * 60 * 60 * 1_000
const DAYS = 365
/** People write most in the evening; in UTC of a partner in Europe. */
const HOURS = [3, 2, 1, 1, 1, 1, 2, 3, 4, 5, 5, 5, 6, 6, 6, 7, 8, 10, 12, 14, 15, 14, 10, 6]
/** Sunday is the busiest day of dating apps. */
const WEEKDAYS = [1.28, 1.06, 1, 0.98, 0.97, 0.86, 0.93]
/** The partner triples in the year. */
const GROWTH = 3

/**
 * How much of the year falls on each day: growth, weekdays, more in winter than in summer, a peak around New Year and
 * Valentine's day.
 * @param {number} now - the last day is that of this time
 */
export function planYear(now) {
  const today = Math.floor(now / DAY_MS)
  const days = Array.from({ length: DAYS }, (_, index) => {
    const day = today - DAYS + 1 + index
    const date = new Date(day * DAY_MS)
    const month = date.getUTCMonth()
    const growth = GROWTH ** (index / DAYS)
    const season = 1 + 0.14 * Math.cos((2 * Math.PI * (month - 0.5)) / 12)
    const isPeak =
      (month === 0 && date.getUTCDate() < 10) || (month === 1 && date.getUTCDate() < 15)
    const elapsed = day === today ? shareOfDay(now) : 1
    const weight =
      growth * season * (isPeak ? 1.2 : 1) * (WEEKDAYS[date.getUTCDay()] ?? 1) * elapsed
    return { day, startsAt: day * DAY_MS, weight }
  })
  const total = days.reduce((sum, { weight }) => sum + weight, 0)
  return days.map((day) => ({ ...day, share: day.weight / total }))
}

/** How much of a day's requests come in each hour. */
export function hourShares() {
  const total = HOURS.reduce((sum, weight) => sum + weight, 0)
  return HOURS.map((weight) => weight / total)
}

function shareOfDay(/** @type {number} */ now) {
  const hour = new Date(now).getUTCHours()
  return hourShares()
    .slice(0, hour + 1)
    .reduce((sum, share) => sum + share, 0)
}

/** @typedef {ReturnType<typeof planYear>[number]} DayPlan */
