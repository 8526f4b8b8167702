const DAY_MS = 24 * 60 * 60 * 1_000
/** 1970-01-01 was a Thursday, so that week 0 began three days before it. */
const DAYS_BEFORE_EPOCH_IN_WEEK_0 = 3

/** The day in UTC that a time falls on, in days since the epoch. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY_MS)
}

/** The ISO week in UTC that a time falls in, in weeks since the one of 1970-01-01. */
export function weekOf(time: number): number {
  return Math.floor((dayOf(time) + DAYS_BEFORE_EPOCH_IN_WEEK_0) / 7)
}

/** When a week starts, Monday 00:00 UTC, in milliseconds since the epoch. */
export function weekStart(week: number): number {
  return (week * 7 - DAYS_BEFORE_EPOCH_IN_WEEK_0) * DAY_MS
}

/** The name of a week by ISO 8601, such as `2026-W28`: its year is the one that its Thursday is in. */
export function isoWeekName(week: number): string {
  const thursday = weekStart(week) + 3 * DAY_MS
  const year = new Date(thursday).getUTCFullYear()
  const number = Math.floor((dayOf(thursday) - dayOf(Date.UTC(year, 0, 1))) / 7) + 1
  return `${year}-W${String(number).padStart(2, '0')}`
}
