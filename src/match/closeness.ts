import { cosine, meanOf, unitNorm } from '../text/vectors.js'

/** How near two lists of terms are to each other; the same both ways round. */
export interface Closeness {
  /** Mean over all terms of the nearest term on the other side, in deviations above unrelated texts. */
  nearest: number
  /** Cosine of the mean directions of the lists, in [-1, 1]. */
  overall: number
}

/**
 * Undefined where a side has no terms: nothing is known then.
 * @param left - embeddings of its terms, [d] float32 of unit norm each
 */
export function closenessOf(
  left: readonly Float32Array[],
  right: readonly Float32Array[],
  standardizeCentered: (cosine: number) => number,
): Closeness | undefined {
  if (left.length === 0 || right.length === 0) return undefined
  const oneWay = (from: readonly Float32Array[], to: readonly Float32Array[]) => {
    const nearest = from.map((term) => Math.max(...to.map((other) => cosine(term, other))))
    return nearest.reduce((sum, value) => sum + value, 0) / nearest.length
  }
  const direction = (terms: readonly Float32Array[]) => unitNorm(meanOf(terms))
  return {
    nearest: standardizeCentered((oneWay(left, right) + oneWay(right, left)) / 2),
    overall: cosine(direction(left), direction(right)),
  }
}
