import type { Arm } from '../../src/openers/opener-policy.js'

/** All openers of one bucket of people. */
export interface BucketCounts {
  sent: number
  replied: number
}

/** In percentage points. */
export interface UpliftByHand {
  value: number
  low: number
  high: number
}

/** The 97.5% quantile of the standard normal distribution. */
const Z = 1.959964
const MIXTURE_VARIANCE = 0.03 ** 2
/** Of an error rate of 5%. */
const TWICE_LOG_OF_20 = 5.991465

/**
 * Reply rate of learned minus control, with the interval that holds at all times at once, written down from the published
 * formulae and apart from the service: the delta method over buckets, and the mixture sequential probability ratio test.
 */
export function upliftByHand(buckets: Record<Arm, readonly BucketCounts[]>): UpliftByHand {
  const [learned, control] = [rateOf(buckets.learned), rateOf(buckets.control)]
  const variance = learned.variance + control.variance
  const total = variance + MIXTURE_VARIANCE
  const log = TWICE_LOG_OF_20 + Math.log(total / variance)
  const spread = Math.sqrt((variance * total * log) / MIXTURE_VARIANCE)
  const value = learned.rate - control.rate
  return { value: 100 * value, low: 100 * (value - spread), high: 100 * (value + spread) }
}

function rateOf(buckets: readonly BucketCounts[]): { rate: number; variance: number } {
  const count = buckets.length
  const sent = buckets.reduce((sum, bucket) => sum + bucket.sent, 0)
  const rate = buckets.reduce((sum, bucket) => sum + bucket.replied, 0) / sent
  const residuals = buckets.map((bucket) => bucket.replied - rate * bucket.sent)
  const squares = residuals.reduce((sum, residual) => sum + residual ** 2, 0)
  const widening = (studentT(count - 1) / Z) ** 2
  return { rate, variance: ((count / (count - 1)) * squares * widening) / sent ** 2 }
}

/**
 * The 97.5% quantile of Student's t, to four digits from 15 degrees of freedom on.
 * Source: Abramowitz and Stegun, 26.7.5, the first three terms after the normal quantile
 */
function studentT(degrees: number): number {
  const first = (Z ** 3 + Z) / 4
  const second = (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / 96
  const third = (3 * Z ** 7 + 19 * Z ** 5 + 17 * Z ** 3 - 15 * Z) / 384
  return Z + first / degrees + second / degrees ** 2 + third / degrees ** 3
}

/** Such as `between +0.4 and +3.2 percentage points`, as the page writes an interval. */
export function describeInterval({ low, high }: UpliftByHand): string {
  return `between ${formatSigned(low)} and ${formatSigned(high)} percentage points`
}

export function formatSigned(points: number): string {
  return `${points < 0 ? '−' : '+'}${Math.abs(points).toFixed(1)}`
}
