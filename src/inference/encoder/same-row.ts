/** Rows of one item that differ by less, relative to their length, are the same row computed in another order. */
const SAME_ROW = 0.01

/** Whether two rows are what a model gives for one item, but for the order of its sums. */
export function isSameRow(a: Float32Array, b: Float32Array): boolean {
  const difference = a.map((value, index) => value - (b[index] ?? Number.NaN))
  return Math.hypot(...difference) / Math.hypot(...a) < SAME_ROW
}
