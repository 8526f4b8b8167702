import { choleskyFactor, solveLower, solveUpper } from '../../learning/cholesky.js'
import { sigmoid } from '../../learning/logistic.js'
import { mean } from './agreement.js'

const MAX_STEPS = 50
/** Largest change of a parameter, in logits, at which Newton's method has converged. */
const TOLERANCE = 1e-8

/** Log-odds: `bias + weights · features`. */
export interface LinearModel {
  bias: number
  weights: number[]
}

/**
 * Logistic regression by Newton's method on the mean cross-entropy, with half the ridge times the squares of the weights as penalty.
 * Features are standardized for the fit; the returned model takes them unscaled.
 * @param rows - [n, d]
 * @param targets - [n], each in [0, 1]
 * @param ridge - above 0, so that separable classes have finite weights
 * Source: Bishop, "Pattern Recognition and Machine Learning", 2006, section 4.3.3
 */
export function fitLogistic(
  rows: readonly (readonly number[])[],
  targets: readonly number[],
  ridge: number,
): LinearModel {
  const columns = rows[0]!.map((_, j) => rows.map((row) => row[j]!))
  const centers = columns.map(mean)
  const scales = columns.map(
    (column, j) => Math.sqrt(mean(column.map((value) => (value - centers[j]!) ** 2))) || 1,
  )
  const size = columns.length + 1
  // The bias is the last parameter.
  const inputs = rows.map((row) =>
    Float64Array.from([...row.map((value, j) => (value - centers[j]!) / scales[j]!), 1]),
  )
  const parameters = new Float64Array(size)
  for (let step = 0; step < MAX_STEPS; step++) {
    const { gradient, hessian } = differentiate(parameters, { inputs, targets, ridge })
    const factor = choleskyFactor(hessian, size)
    const change = solveUpper(factor, solveLower(factor, gradient))
    change.forEach((value, j) => (parameters[j]! -= value))
    if (change.every((value) => Math.abs(value) < TOLERANCE)) break
  }
  const weights = scales.map((scale, j) => parameters[j]! / scale)
  const bias = parameters[size - 1]! - weights.reduce((sum, w, j) => sum + w * centers[j]!, 0)
  return { bias, weights }
}

/** Gradient of the loss, and the lower half of its Hessian. */
function differentiate(
  parameters: Float64Array,
  {
    inputs,
    targets,
    ridge,
  }: { inputs: readonly Float64Array[]; targets: readonly number[]; ridge: number },
): { gradient: Float64Array; hessian: Float64Array } {
  const size = parameters.length
  const gradient = parameters.map((value, j) => (j < size - 1 ? ridge * value : 0))
  const hessian = new Float64Array(size ** 2)
  for (let j = 0; j < size - 1; j++) hessian[j * size + j] = ridge
  inputs.forEach((input, i) => {
    const probability = sigmoid(input.reduce((sum, value, j) => sum + value * parameters[j]!, 0))
    const error = (probability - targets[i]!) / inputs.length
    const curvature = (probability * (1 - probability)) / inputs.length
    for (let a = 0; a < size; a++) {
      gradient[a]! += error * input[a]!
      const scaled = curvature * input[a]!
      for (let b = 0; b <= a; b++) hessian[a * size + b]! += scaled * input[b]!
    }
  })
  return { gradient, hessian }
}
