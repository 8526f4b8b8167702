import { Z_95 } from '../events/wilson-interval.js'
import type { Arm } from '../openers/opener-policy.js'
import { divideSums, type ClusterRatio } from './cluster-ratio.js'
import type { BucketRow } from './evidence.js'
import type { ArmCounts, Estimate } from './learning-report.js'
import { studentT95 } from './quantiles.js'

/** Number of parts that the end users of an environment are divided into. One hundredth of them is one percent. */
export const BUCKETS = 500

/** An arm with fewer has no interval: its variance would be a guess. */
const MIN_BUCKETS = 20
export const MIN_SENT = 200
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
  const { learned, control } = sumByBucket(rows)
  return describe(learned, control, (variance) => {
    const mixture = MIXTURE_DEVIATION ** 2
    const total = variance + mixture
    const log = 2 * Math.log(1 / ERROR_RATE) + Math.log(total / variance)
    return Math.sqrt((variance * total * log) / mixture)
  })
}

/** The same with the ordinary 95 % interval, which is right only when read once, at a time that was set before. */
export function measureUpliftOnce(rows: Iterable<BucketRow>): Uplift {
  const { learned, control } = sumByBucket(rows)
  return describe(learned, control, (variance) => Z_95 * Math.sqrt(variance))
}

function describe(
  learned: ClusterRatio,
  control: ClusterRatio,
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

function isEnough({ clusters, sent }: ClusterRatio): boolean {
  return clusters >= MIN_BUCKETS && sent >= MIN_SENT
}

function compare(
  learned: ClusterRatio,
  control: ClusterRatio,
  spreadOf: (variance: number) => number,
): Estimate | undefined {
  const value = learned.rate - control.rate
  const variance = inflate(learned) + inflate(control)
  // Where nobody was answered, or everybody, nothing says how far chance reaches.
  if (variance === 0) return undefined
  const spread = spreadOf(variance)
  return { value, low: Math.max(-1, value - spread), high: Math.min(1, value + spread) }
}

/** The variance, larger for few buckets: an estimate from n buckets is as uncertain as Student's t with n − 1. */
function inflate({ variance, clusters }: ClusterRatio): number {
  return variance * (studentT95(clusters - 1) / Z_95) ** 2
}

function sumByBucket(rows: Iterable<BucketRow>): Record<Arm, ClusterRatio> {
  const sums = { learned: new Map<number, ArmCounts>(), control: new Map<number, ArmCounts>() }
  for (const { arm, bucket, sent, replied } of rows) {
    const known = sums[arm].get(bucket) ?? { sent: 0, replied: 0 }
    sums[arm].set(bucket, { sent: known.sent + sent, replied: known.replied + replied })
  }
  const summarize = (arm: Arm) => divideSums([...sums[arm].values()].filter(({ sent }) => sent > 0))
  return { learned: summarize('learned'), control: summarize('control') }
}
