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
const PRECISIONS = priorDeviations().map((deviation) => deviation ** -2)

/**
 * Bayesian logistic regression by a Laplace approximation: a normal distribution at the mode of the posterior, with the
 * curvature there as precision. The mode is found by Newton's method; the log density is strictly concave, and halved steps
 * keep the first ones from overshooting.
 * @param tolerance - largest change of a parameter, in logits, at which the search ends
 * Source: Bishop, "Pattern Recognition and Machine Learning", 2006, sections 4.3.3 and 4.5.1
 */
export function fitCells(task: FitTask, tolerance = TOLERANCE): ParameterDistribution {
  let mean = (task.start ?? task.center).slice()
  let density = logDensity(task, mean)
  for (let step = 0; ; step++) {
    const { gradient, hessian } = differentiate(task, mean)
    const factor = choleskyFactor(hessian, DIMENSION)
    const direction = solveUpper(factor, solveLower(factor, gradient))
    const size = direction.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    if (size < tolerance || step === MAX_STEPS) return { mean, factor }
    for (let fraction = 1; fraction > 1e-3; fraction /= 2) {
      const next = mean.map((value, i) => value + fraction * direction[i]!)
      const nextDensity = logDensity(task, next)
      // Near the mode the densities differ by rounding only.
      if (nextDensity < density - 1e-9 * Math.abs(density)) continue
      mean = next
      density = nextDensity
      break
    }
  }
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
  cells.forEach(({ features }, i) => {
    if (sent[i] === 0) return
    const logit = dotSparse(features, parameters)
    sum += replied[i]! * logit - sent[i]! * softplus(logit)
  })
  return sum
}

/** Gradient of the log density, and the lower half of its negative Hessian. */
function differentiate({ cells, counts, center }: FitTask, mean: Float64Array) {
  const gradient = mean.map((value, i) => PRECISIONS[i]! * (center[i]! - value))
  const hessian = new Float64Array(DIMENSION ** 2)
  PRECISIONS.forEach((precision, i) => (hessian[i * DIMENSION + i] = precision))
  cells.forEach(({ features }, c) => {
    const [sent, replied] = [counts.sent[c]!, counts.replied[c]!]
    if (sent === 0) return
    const { indices, values } = features
    const rate = sigmoid(dotSparse(features, mean))
    const [error, curvature] = [replied - sent * rate, sent * rate * (1 - rate)]
    for (let a = 0; a < indices.length; a++) {
      gradient[indices[a]!]! += error * values[a]!
      // Indices ascend, so this is the lower half.
      for (let b = 0; b <= a; b++) {
        hessian[indices[a]! * DIMENSION + indices[b]!]! += curvature * values[a]! * values[b]!
      }
    }
  })
  return { gradient, hessian }
}
