import { choleskyFactor, solveLower, solveUpper } from '../../src/learning/cholesky.js'

// The factor has whole numbers: [[2, 0, 0], [6, 1, 0], [-8, 5, 3]].
const MATRIX = Float64Array.of(4, 12, -16, 12, 37, -43, -16, -43, 98)

describe('the Cholesky factorization', () => {
  it('finds the lower triangle whose square is the matrix', () => {
    expect([...choleskyFactor(MATRIX, 3)]).toEqual([2, 0, 0, 6, 1, 0, -8, 5, 3])
  })

  it('solves a system of equations in two steps', () => {
    const factor = choleskyFactor(MATRIX, 3)
    // The matrix times (1, 2, 3).
    const right = [-20, -43, 192]
    const solution = solveUpper(factor, solveLower(factor, right))
    solution.forEach((value, i) => expect(value).toBeCloseTo(i + 1, 10))
  })

  it('refuses a matrix that is not positive definite', () => {
    expect(() => choleskyFactor(Float64Array.of(1, 2, 2, 1), 2)).toThrow(RangeError)
  })
})
