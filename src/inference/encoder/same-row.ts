/** Rows that differ by less, relative to their length, differ only by the order of additions. */
const SAME_ROW = 0.01

/** Whether two rows are the same output up to the order of additions. */
export function isSameRow(a: Float32Array, b: Float32Array): boolean {
  const difference = a.map((value, index) => value - (b[index] ?? Number.NaN))
  return Math.hypot(...difference) / Math.hypot(...a) < SAME_ROW
}
