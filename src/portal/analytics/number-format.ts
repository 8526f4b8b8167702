const counts = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const amounts = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })
const shares = new Intl.NumberFormat('en', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})
const wholeShares = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 })
const seconds = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 })

/** What stands where there is no number. */
export const NO_NUMBER = '–'

/** Openers, of which an event that names none counts parts: such as `12,345` or `4.5`. */
export function formatAmount(amount: number): string {
  return amounts.format(amount)
}

/** Such as `12,345`. */
export function formatCount(count: number): string {
  return counts.format(count)
}

/** A share in [0, 1], such as `31.4%`. */
export function formatShare(share: number | null | undefined): string {
  return share === null || share === undefined ? NO_NUMBER : shares.format(share)
}

/** A share in [0, 1], such as `31%`. */
export function formatWholeShare(share: number): string {
  return wholeShares.format(share)
}

/** Milliseconds, such as `48 ms` or `2.3 s`: two digits, since they are an estimate. */
export function formatLatency(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return NO_NUMBER
  if (milliseconds < 1_000) return `${Number(milliseconds.toPrecision(2))} ms`
  return `${seconds.format(milliseconds / 1_000)} s`
}

const days = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** The day of a time in UTC, such as `3 Nov 2026`. */
export function formatDay(time: number): string {
  return days.format(time)
}

/** A time to the hour in UTC, such as `2026-11-03 14:00`. */
export function formatHour(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace('T', ' ')
}
