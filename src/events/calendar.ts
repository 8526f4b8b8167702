const DAY_MS = 24 * 60 * 60 * 1_000
/** 1970-01-01 was a Thursday, so week 0 started three days earlier. */
const DAYS_BEFORE_EPOCH_IN_WEEK_0 = 3

/** The UTC day of a time, in days since the epoch. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY_MS)
}

/** The start of a day, 00:00 UTC, in milliseconds since the epoch. */
export function dayStart(day: number): number {
  return day * DAY_MS
}

/** The ISO week of a time in UTC, in weeks since the week of 1970-01-01. */
export function weekOf(time: number): number {
  return weekOfDay(dayOf(time))
}

/** The ISO week of a day, both counted as above. */
export function weekOfDay(day: number): number {
  return Math.floor((day + DAYS_BEFORE_EPOCH_IN_WEEK_0) / 7)
}

/** The start of a week, Monday 00:00 UTC, in milliseconds since the epoch. */
export function weekStart(week: number): number {
  return (week * 7 - DAYS_BEFORE_EPOCH_IN_WEEK_0) * DAY_MS
}

/** The ISO 8601 name of a week, such as `2026-W28`; its year is that of its Thursday. */
export function isoWeekName(week: number): string {
  const thursday = weekStart(week) + 3 * DAY_MS
  const year = new Date(thursday).getUTCFullYear()
  const number = Math.floor((dayOf(thursday) - dayOf(Date.UTC(year, 0, 1))) / 7) + 1
  return `${year}-W${String(number).padStart(2, '0')}`
}
