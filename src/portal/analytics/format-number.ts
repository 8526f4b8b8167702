const COUNTS = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const AMOUNTS = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })
const SHARES = new Intl.NumberFormat('en', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})
const WHOLE_SHARES = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 })
const POINTS = new Intl.NumberFormat('en', {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
})
const SECONDS = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 })

/** Stands in for a missing number. */
export const NO_NUMBER = '–'

/** Such as `12,345`. */
export function formatCount(count: number): string {
  return COUNTS.format(count)
}

/** A number of openers, such as `12,345` or `4.5`: events that name no opener count as fractions of several. */
export function formatAmount(amount: number): string {
  return AMOUNTS.format(amount)
}

/** A share in [0, 1] as a percentage, such as `31.4%`. */
export function formatShare(share: number | null | undefined): string {
  return share === null || share === undefined ? NO_NUMBER : SHARES.format(share)
}

/** A share in [0, 1] as a whole percentage, such as `31%`. */
export function formatWholeShare(share: number): string {
  return WHOLE_SHARES.format(share)
}

/** Milliseconds, such as `48 ms` or `2.3 s`, with two digits because latencies are estimates. */
export function formatLatency(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return NO_NUMBER
  if (milliseconds < 1_000) return `${Number(milliseconds.toPrecision(2))} ms`
  return `${SECONDS.format(milliseconds / 1_000)} s`
}

/** A difference of two shares in percentage points with its sign, such as `+1.8` or `−0.4`. */
export function formatPoints(difference: number): string {
  // The typographic minus, which is as wide as the plus.
  return POINTS.format(difference * 100).replace('-', '−')
}
