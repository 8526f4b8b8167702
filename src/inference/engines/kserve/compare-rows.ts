import type { EngineRows } from '../engine-question.js'

/**
 * Largest distance of two rows relative to their length. Rows of one length this far apart have a cosine of 0.999.
 */
const MAX_DISTANCE = 0.045

/** Whether every row is that of the pack's own file, up to arithmetic. */
export function isSameOutput(given: EngineRows, expected: EngineRows): boolean {
  const { rows, columns } = expected
  if (given.rows !== rows || given.columns !== columns) return false
  return Array.from({ length: rows }, (_, row) => row * columns).every((start) => {
    let distance = 0
    let length = 0
    for (let i = start; i < start + columns; i++) {
      distance += (given.data[i]! - expected.data[i]!) ** 2
      length += expected.data[i]! ** 2
    }
    // NaN is no agreement.
    return Math.sqrt(distance) <= MAX_DISTANCE * Math.sqrt(length)
  })
}
