import type { Arm } from '../openers/opener-policy.js'
import type { BucketRow } from './evidence.js'
import type { ArmCounts, Estimate } from './learning-report.js'
import { studentT95, Z_95 } from './quantiles.js'

/** Number of parts that the end users of an environment are divided into. One hundredth of them is one percent. */
export const BUCKETS = 500

/** An arm with fewer has no interval: its variance would be a guess. */
const MIN_BUCKETS = 20
const MIN_SENT = 200
/** Differences of reply rates that the sequential interval is most sensitive to: a standard deviation. Any value is valid. */
const MIXTURE_DEVIATION = 0.03
const ERROR_RATE = 0.05

export interface Uplift {
  learned: ArmCounts
  control: ArmCounts
  /** Reply rate of learned minus control, with an interval that holds at all times at once. */
  difference: Estimate | undefined
}

/**
 * Difference of the reply rates of both arms, with an interval that may be read at any time: with probability 95 % all
 * readings together are right. It is that of the mixture sequential probability ratio test.
 * @param rows - of days whose attribution window has passed
 * Source: Johari, Koomen, Pekelis and Walsh, "Peeking at A/B tests", KDD 2017; for an estimated variance, Waudby-Smith et
 * al., arXiv:2103.06476
 */
export function measureUplift(rows: Iterable<BucketRow>): Uplift {
  const { learned, control } = summarizeArms(rows)
  return describe(learned, control, (variance) => {
    const mixture = MIXTURE_DEVIATION ** 2
    const total = variance + mixture
    const log = 2 * Math.log(1 / ERROR_RATE) + Math.log(total / variance)
    return Math.sqrt((variance * total * log) / mixture)
  })
}

/** The same with the ordinary 95 % interval, which is right only when read once, at a time that was set before. */
export function measureUpliftOnce(rows: Iterable<BucketRow>): Uplift {
  const { learned, control } = summarizeArms(rows)
  return describe(learned, control, (variance) => Z_95 * Math.sqrt(variance))
}

function describe(
  learned: ArmSummary,
  control: ArmSummary,
  spreadOf: (variance: number) => number,
): Uplift {
  return {
    learned: { sent: learned.sent, replied: learned.replied },
    control: { sent: control.sent, replied: control.replied },
    difference: [learned, control].every(isEnough)
      ? compare(learned, control, spreadOf)
      : undefined,
  }
}

function isEnough({ buckets, sent }: ArmSummary): boolean {
  return buckets >= MIN_BUCKETS && sent >= MIN_SENT
}

function compare(
  learned: ArmSummary,
  control: ArmSummary,
  spreadOf: (variance: number) => number,
): Estimate {
  const value = learned.replied / learned.sent - control.replied / control.sent
  const spread = spreadOf(inflate(learned) + inflate(control))
  return { value, low: Math.max(-1, value - spread), high: Math.min(1, value + spread) }
}

/** The variance, larger for few buckets: an estimate from n buckets is as uncertain as Student's t with n − 1. */
function inflate({ variance, buckets }: ArmSummary): number {
  return variance * (studentT95(buckets - 1) / Z_95) ** 2
}

interface ArmSummary extends ArmCounts {
  buckets: number
  /** Of the reply rate. */
  variance: number
}

function summarizeArms(rows: Iterable<BucketRow>): Record<Arm, ArmSummary> {
  const sums = { learned: new Map<number, ArmCounts>(), control: new Map<number, ArmCounts>() }
  for (const { arm, bucket, sent, replied } of rows) {
    const known = sums[arm].get(bucket) ?? { sent: 0, replied: 0 }
    sums[arm].set(bucket, { sent: known.sent + sent, replied: known.replied + replied })
  }
  return { learned: summarizeArm(sums.learned), control: summarizeArm(sums.control) }
}

/**
 * A ratio of sums over buckets. People send several openers, so buckets of people are independent and openers are not.
 * Source of the variance: Deng, Knoblich and Lu, "Applying the delta method in metric analytics", KDD 2018, section 3
 */
function summarizeArm(sums: ReadonlyMap<number, ArmCounts>): ArmSummary {
  const counts = [...sums.values()].filter((bucket) => bucket.sent > 0)
  const buckets = counts.length
  const sent = counts.reduce((sum, bucket) => sum + bucket.sent, 0)
  const replied = counts.reduce((sum, bucket) => sum + bucket.replied, 0)
  const rate = replied / sent
  const squares = counts.reduce(
    (sum, bucket) => sum + (bucket.replied - rate * bucket.sent) ** 2,
    0,
  )
  return { sent, replied, buckets, variance: ((buckets / (buckets - 1)) * squares) / sent ** 2 }
}
