/** Maximum relative error of an estimate. */
export const LATENCY_ERROR = 0.05

const GROWTH = (1 + LATENCY_ERROR) / (1 - LATENCY_ERROR)
const LOG_GROWTH = Math.log(GROWTH)
/** About three hours; longer latencies count as that. */
const LAST_BUCKET = 162

/**
 * The bucket in which a latency is counted: bucket 0 ends at one millisecond, and each further one 10.5 % above the
 * previous one.
 * Source: Masson, Rim, Lee, "DDSketch", PVLDB 12 (2019), section 2
 * @param milliseconds - 0 or more
 */
export function latencyBucket(milliseconds: number): number {
  if (milliseconds <= 1) return 0
  return Math.min(Math.ceil(Math.log(milliseconds) / LOG_GROWTH), LAST_BUCKET)
}

/** The latency in milliseconds that represents a bucket: within `LATENCY_ERROR` of both its ends. */
export function bucketLatency(bucket: number): number {
  return (2 * GROWTH ** bucket) / (GROWTH + 1)
}

/**
 * A quantile of the counted latencies by the nearest-rank method.
 * @param counts - requests by bucket
 * @param quantile - in (0, 1]
 * @returns milliseconds, within `LATENCY_ERROR` above one millisecond; undefined if `counts` is empty
 */
export function latencyQuantile(
  counts: ReadonlyMap<number, number>,
  quantile: number,
): number | undefined {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  let remaining = Math.ceil(quantile * total)
  for (const [bucket, count] of [...counts].sort(([a], [b]) => a - b)) {
    remaining -= count
    if (remaining <= 0 && count > 0) return bucketLatency(bucket)
  }
  return undefined
}
