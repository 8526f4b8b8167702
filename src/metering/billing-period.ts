/** The calendar month in UTC that a time falls into, such as `2026-07`. */
export function periodOf(now: number): string {
  return new Date(now).toISOString().slice(0, 7)
}

/** When the calendar month of a time ends, in milliseconds since the epoch. */
export function periodEnd(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}
