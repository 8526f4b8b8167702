const DAY_SECONDS = 24 * 60 * 60
const MONTH_SECONDS = 28 * DAY_SECONDS
const UTC = { timeZone: 'UTC' } as const
const hours = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', ...UTC })
const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', ...UTC })
const months = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', ...UTC })

/**
 * Tick labels of a time axis, in UTC.
 * @param times - seconds since the epoch
 * @param step - seconds between two ticks
 */
export function timeLabels(times: readonly number[], step: number): string[] {
  return times.map((time) => {
    const date = new Date(time * 1_000)
    if (step >= MONTH_SECONDS) return months.format(date)
    return step >= DAY_SECONDS || time % DAY_SECONDS === 0 ? days.format(date) : hours.format(date)
  })
}
