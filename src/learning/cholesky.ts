/**
 * The lower triangular L with L Lᵀ = A, by rows (Cholesky–Banachiewicz).
 * Source: Golub and Van Loan, "Matrix Computations", 4th edition, section 4.2.
 * @param matrix - [n, n] row-major, symmetric and positive definite; only its lower half is read
 * @throws RangeError when it is not positive definite
 */
export function choleskyFactor(matrix: Float64Array, n: number): Float64Array {
  const factor = new Float64Array(n * n)
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let rest = matrix[i * n + j]!
      for (let k = 0; k < j; k++) rest -= factor[i * n + k]! * factor[j * n + k]!
      if (i !== j) factor[i * n + j] = rest / factor[j * n + j]!
      else if (rest > 0) factor[i * n + i] = Math.sqrt(rest)
      else throw new RangeError('The matrix is not positive definite.')
    }
  }
  return factor
}

/** Solves L x = b for a lower triangular L. */
export function solveLower(factor: Float64Array, b: ArrayLike<number>): Float64Array {
  const n = b.length
  const x = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    let rest = b[i]!
    for (let k = 0; k < i; k++) rest -= factor[i * n + k]! * x[k]!
    x[i] = rest / factor[i * n + i]!
  }
  return x
}

/** Solves Lᵀ x = b for a lower triangular L. */
export function solveUpper(factor: Float64Array, b: ArrayLike<number>): Float64Array {
  const n = b.length
  const x = new Float64Array(n)
  for (let i = n - 1; i >= 0; i--) {
    let rest = b[i]!
    for (let k = i + 1; k < n; k++) rest -= factor[k * n + i]! * x[k]!
    x[i] = rest / factor[i * n + i]!
  }
  return x
}
