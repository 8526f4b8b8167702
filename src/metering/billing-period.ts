/** Returns the calendar month (UTC) of a time, such as `2026-07`. */
export function periodOf(now: number): string {
  return new Date(now).toISOString().slice(0, 7)
}

/** Returns the end of the calendar month (UTC) of a time, in milliseconds since the epoch. */
export function periodEnd(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}
