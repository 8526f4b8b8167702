import { choleskyFactor, solveLower, solveUpper } from './cholesky.js'
import type { Cell } from './evidence-history.js'
import type { CellCounts } from './fading.js'
import { sigmoid, softplus } from './logistic.js'
import { DIMENSION, dotSparse, priorDeviations } from './opener-features.js'

/** A normal distribution of the parameters. */
export interface ParameterDistribution {
  /** [DIMENSION] */
  mean: Float64Array
  /** Lower Cholesky factor of the precision, [DIMENSION, DIMENSION] row-major. */
  factor: Float64Array
}

export interface FitTask {
  cells: readonly Cell[]
  counts: CellCounts
  /** Mean of the prior. */
  center: Float64Array
  /** Where the search begins. */
  start?: Float64Array
}

const MAX_STEPS = 50
/** Largest change of a parameter, in logits, at which Newton's method has converged. */
const TOLERANCE = 1e-11
/** Newton steps within half a logit do not overshoot: the curvature hardly changes on the way. */
const SAFE_STEP = 0.5
const MIN_FRACTION = 1e-3
const PRECISIONS = priorDeviations().map((deviation) => deviation ** -2)

/**
 * Bayesian logistic regression by a Laplace approximation: a normal distribution at the mode of the posterior, with the
 * curvature there as precision. The mode is found by Newton's method; the log density is strictly concave, and halved steps
 * keep the first ones from overshooting.
 * @param tolerance - largest change of a parameter, in logits, at which the search ends
 * Source: Bishop, "Pattern Recognition and Machine Learning", 2006, sections 4.3.3 and 4.5.1
 */
export function fitCells(task: FitTask, tolerance = TOLERANCE): ParameterDistribution {
  let mean: Float64Array = (task.start ?? task.center).slice()
  for (let step = 0; ; step++) {
    const { gradient, hessian } = differentiate(task, mean)
    const factor = choleskyFactor(hessian, DIMENSION)
    const direction = solveUpper(factor, solveLower(factor, gradient))
    const size = direction.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    if (size < tolerance || step === MAX_STEPS) return { mean, factor }
    mean = size < SAFE_STEP ? add(mean, direction, 1) : climb(task, mean, direction)
  }
}

/** Halves a step until it leads upwards, which a whole one far from the mode may fail to do. */
function climb(task: FitTask, mean: Float64Array, direction: Float64Array): Float64Array {
  const density = logDensity(task, mean)
  for (let fraction = 1; ; fraction /= 2) {
    const next = add(mean, direction, fraction)
    if (logDensity(task, next) > density || fraction < MIN_FRACTION) return next
  }
}

function add(mean: Float64Array, direction: Float64Array, fraction: number): Float64Array {
  return mean.map((value, i) => value + fraction * direction[i]!)
}

function logDensity({ cells, counts, center }: FitTask, mean: Float64Array): number {
  let sum = logLikelihood(cells, counts, mean)
  for (let i = 0; i < DIMENSION; i++) sum -= 0.5 * PRECISIONS[i]! * (mean[i]! - center[i]!) ** 2
  return sum
}

/** Of the counts under the parameters, in nats. */
export function logLikelihood(
  cells: readonly Cell[],
  { sent, replied }: CellCounts,
  parameters: Float64Array,
): number {
  let sum = 0
  for (let i = 0; i < cells.length; i++) {
    if (sent[i] === 0) continue
    const { features } = cells[i]!
    const logit = dotSparse(features, parameters)
    sum += replied[i]! * logit - sent[i]! * softplus(logit)
  }
  return sum
}

/** Gradient of the log density, and the lower half of its negative Hessian. */
function differentiate({ cells, counts, center }: FitTask, mean: Float64Array) {
  const gradient = mean.map((value, i) => PRECISIONS[i]! * (center[i]! - value))
  const hessian = new Float64Array(DIMENSION ** 2)
  PRECISIONS.forEach((precision, i) => (hessian[i * DIMENSION + i] = precision))
  for (let c = 0; c < cells.length; c++) {
    const sent = counts.sent[c]!
    if (sent === 0) continue
    const { features } = cells[c]!
    const { indices, values } = features
    const rate = sigmoid(dotSparse(features, mean))
    const error = counts.replied[c]! - sent * rate
    const curvature = sent * rate * (1 - rate)
    for (let a = 0; a < indices.length; a++) {
      gradient[indices[a]!]! += error * values[a]!
      // Indices ascend, so this is the lower half.
      for (let b = 0; b <= a; b++) {
        hessian[indices[a]! * DIMENSION + indices[b]!]! += curvature * values[a]! * values[b]!
      }
    }
  }
  return { gradient, hessian }
}
