const DAYS = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** The UTC day of a time, such as `3 Nov 2026`. */
export function formatDay(time: number): string {
  return DAYS.format(time)
}

/** A time to the hour in UTC, such as `2026-11-03 14:00`. */
export function formatHour(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace('T', ' ')
}
