import { choleskyFactor, solveLower } from './cholesky.js'
import type { Posterior } from './fit-posterior.js'
import { DIMENSION, dotSparse, type SparseVector } from './opener-features.js'

/** A normal distribution of a few quantities. */
export interface Gaussian {
  mean: Float64Array
  /** Lower Cholesky factor of the covariance, [n, n] row-major. */
  factor: Float64Array
}

/** The joint distribution of linear combinations of the parameters, which must differ from each other. */
export function projectPosterior(
  { mean, factor }: Pick<Posterior, 'mean' | 'factor'>,
  combinations: readonly SparseVector[],
): Gaussian {
  const n = combinations.length
  // With precision L Lᵀ, the covariance of a·θ and b·θ is (L⁻¹a)·(L⁻¹b).
  const halves = combinations.map((combination) => solveLower(factor, toDense(combination)))
  const covariance = new Float64Array(n * n)
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      covariance[i * n + j] = halves[i]!.reduce((sum, value, k) => sum + value * halves[j]![k]!, 0)
    }
  }
  return {
    mean: Float64Array.from(combinations, (combination) => dotSparse(combination, mean)),
    factor: choleskyFactor(covariance, n),
  }
}

function toDense({ indices, values }: SparseVector): Float64Array {
  const dense = new Float64Array(DIMENSION)
  indices.forEach((index, i) => (dense[index] = values[i]!))
  return dense
}

/** @param normals - draws from the standard normal distribution, one for each quantity, from `offset` */
export function shapeDraw({ mean, factor }: Gaussian, normals: Float64Array, offset = 0) {
  const n = mean.length
  return mean.map((value, i) => {
    let sum = value
    for (let k = 0; k <= i; k++) sum += factor[i * n + k]! * normals[offset + k]!
    return sum
  })
}

export function deviationOf({ mean, factor }: Gaussian, index: number): number {
  const n = mean.length
  return Math.hypot(...factor.subarray(index * n, index * n + index + 1))
}
