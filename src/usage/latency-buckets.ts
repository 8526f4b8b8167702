/** An estimate is at most this share of the true value off. */
export const LATENCY_ERROR = 0.05

const GROWTH = (1 + LATENCY_ERROR) / (1 - LATENCY_ERROR)
const LOG_GROWTH = Math.log(GROWTH)
/** About three hours; what takes longer counts as that. */
const LAST_BUCKET = 162

/**
 * The bucket that a latency is counted in: bucket 0 holds up to one millisecond, each further one ends 10.5 % above
 * the one before.
 * Source: Masson, Rim, Lee, "DDSketch", PVLDB 12 (2019), section 2
 * @param milliseconds - 0 or more
 */
export function latencyBucket(milliseconds: number): number {
  if (milliseconds <= 1) return 0
  return Math.min(Math.ceil(Math.log(milliseconds) / LOG_GROWTH), LAST_BUCKET)
}

/** The latency in milliseconds that stands for a bucket: `LATENCY_ERROR` from both ends of it. */
export function bucketLatency(bucket: number): number {
  return (2 * GROWTH ** bucket) / (GROWTH + 1)
}

/**
 * A quantile of the latencies that were counted, by the nearest rank.
 * @param counts - requests by bucket
 * @param share - in (0, 1]
 * @returns milliseconds, within `LATENCY_ERROR` above one millisecond; undefined when nothing was counted
 */
export function latencyQuantile(
  counts: ReadonlyMap<number, number>,
  share: number,
): number | undefined {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  let left = Math.ceil(share * total)
  for (const [bucket, count] of [...counts].sort(([a], [b]) => a - b)) {
    left -= count
    if (left <= 0 && count > 0) return bucketLatency(bucket)
  }
  return undefined
}
