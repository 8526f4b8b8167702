import { cosine, meanOf, unitNorm } from '../text/text-similarity.js'
import type { Term } from './person.js'

/** How near two lists of terms are to each other; the same both ways round. */
export interface Closeness {
  /** Mean over all terms of the nearest term on the other side, in deviations above unrelated texts. */
  nearest: number
  /** Cosine of the mean directions of the lists, in [-1, 1]. */
  overall: number
}

/** Undefined where a side has no terms: nothing is known then. */
export function closenessOf(
  left: readonly Term[],
  right: readonly Term[],
  standardizeCentered: (cosine: number) => number,
): Closeness | undefined {
  if (left.length === 0 || right.length === 0) return undefined
  const oneWay = (from: readonly Term[], to: readonly Term[]) => {
    const nearest = from.map((term) =>
      Math.max(...to.map((other) => cosine(term.centered, other.centered))),
    )
    return nearest.reduce((sum, value) => sum + value, 0) / nearest.length
  }
  const direction = (terms: readonly Term[]) => unitNorm(meanOf(terms.map((term) => term.centered)))
  return {
    nearest: standardizeCentered((oneWay(left, right) + oneWay(right, left)) / 2),
    overall: cosine(direction(left), direction(right)),
  }
}
