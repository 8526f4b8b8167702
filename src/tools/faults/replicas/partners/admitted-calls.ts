/** An admitted call, by a clock that nobody sets. */
export interface AdmittedCall {
  sentMs: number
  answeredMs: number
}

/**
 * The largest number of calls that were certainly admitted within one window: sent and answered in it. A call was admitted at
 * some moment in between.
 */
export function countInBusiestWindow(calls: readonly AdmittedCall[], windowMs: number): number {
  const counts = calls.map(
    ({ sentMs: from }) =>
      calls.filter(({ sentMs, answeredMs }) => sentMs >= from && answeredMs < from + windowMs)
        .length,
  )
  return Math.max(0, ...counts)
}
