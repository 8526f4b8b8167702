import { lastSettledDay } from '../events/attribution-window.js'
import { choleskyFactor, solveLower, solveUpper } from './cholesky.js'
import type { EvidenceRow } from './evidence.js'
import { fadeCells, type FadedCell } from './faded-cells.js'
import type { HalfLives } from './fading.js'
import { sigmoid, softplus } from './logistic.js'
import { DIMENSION, dotSparse, priorDeviations } from './opener-features.js'

/** Below this effective number of sent openers, own or pooled, nothing that was learnt is used. */
export const NEEDED_EVIDENCE = 200

/** Where the parameters are expected before any evidence of the environment itself. */
export interface PriorMean {
  /** By parameter. */
  mean: Float64Array
  /** Effective number of openers behind it. */
  evidence: number
}

/** What is known of the parameters: a normal distribution, and the evidence behind it. */
export interface Posterior {
  /** [DIMENSION] */
  mean: Float64Array
  /** Lower Cholesky factor of the precision, [DIMENSION, DIMENSION] row-major. */
  factor: Float64Array
  cells: readonly FadedCell[]
  /** Own openers past their attribution window. */
  sent: number
  /** Their weight after fading. */
  effective: number
  /** Effective number of openers of others behind the prior. */
  pooled: number
}

export interface FitOptions {
  /** Days since the epoch. */
  today: number
  prior?: PriorMean | undefined
  halfLives?: HalfLives | undefined
}

const MAX_STEPS = 50
/** Largest change of a parameter, in logits, at which Newton's method has converged. */
const TOLERANCE = 1e-11
/** Without evidence, one opener in five is expected to be answered. */
const PRIOR_INTERCEPT = Math.log(0.2 / 0.8)

/**
 * Bayesian logistic regression of "replied, given sent", by a Laplace approximation: a normal distribution at the mode of
 * the posterior, with the curvature there as precision. Depends on nothing but its arguments. Openers whose attribution
 * window is open do not count.
 * Source: Chapelle and Li, "An empirical evaluation of Thompson sampling", NeurIPS 2011, algorithm 3.
 */
export function fitPosterior(rows: Iterable<EvidenceRow>, options: FitOptions): Posterior {
  const { today, prior, halfLives } = options
  const cells = fadeCells(settledRows(rows, today), today, halfLives)
  return {
    ...fitCells(cells, prior?.mean),
    cells,
    sent: sumOf(cells, 'unfadedSent'),
    effective: sumOf(cells, 'sent'),
    pooled: prior?.evidence ?? 0,
  }
}

/** Rows of days whose attribution window has passed. */
export function settledRows(rows: Iterable<EvidenceRow>, today: number): EvidenceRow[] {
  return [...rows].filter(({ day }) => day <= lastSettledDay(today))
}

function defaultMean(): Float64Array {
  const mean = new Float64Array(DIMENSION)
  mean[0] = PRIOR_INTERCEPT
  return mean
}

function sumOf(cells: readonly FadedCell[], count: 'sent' | 'unfadedSent'): number {
  return cells.reduce((sum, cell) => sum + cell[count], 0)
}

/** Newton's method. The posterior is strictly concave; halved steps keep the first ones from overshooting. */
export function fitCells(
  cells: readonly FadedCell[],
  center: Float64Array = defaultMean(),
): Pick<Posterior, 'mean' | 'factor'> {
  const precisions = priorDeviations().map((deviation) => deviation ** -2)
  let mean = center.slice()
  let density = logDensity(cells, { mean, center, precisions })
  for (let step = 0; ; step++) {
    const { gradient, hessian } = differentiate(cells, { mean, center, precisions })
    const factor = choleskyFactor(hessian, DIMENSION)
    const direction = solveUpper(factor, solveLower(factor, gradient))
    const size = direction.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    if (size < TOLERANCE || step === MAX_STEPS) return { mean, factor }
    for (let fraction = 1; fraction > 1e-3; fraction /= 2) {
      const next = mean.map((value, i) => value + fraction * direction[i]!)
      const nextDensity = logDensity(cells, { mean: next, center, precisions })
      if (nextDensity < density - 1e-9 * Math.abs(density)) continue
      mean = next
      density = nextDensity
      break
    }
  }
}

interface Point {
  mean: Float64Array
  center: Float64Array
  precisions: Float64Array
}

function logDensity(cells: readonly FadedCell[], { mean, center, precisions }: Point): number {
  let sum = 0
  for (const { features, sent, replied } of cells) {
    const logit = dotSparse(features, mean)
    sum += replied * logit - sent * softplus(logit)
  }
  mean.forEach((value, i) => (sum -= 0.5 * precisions[i]! * (value - center[i]!) ** 2))
  return sum
}

/** Gradient of the log density, and the negative of its Hessian (lower half). */
function differentiate(cells: readonly FadedCell[], { mean, center, precisions }: Point) {
  const gradient = mean.map((value, i) => precisions[i]! * (center[i]! - value))
  const hessian = new Float64Array(DIMENSION ** 2)
  precisions.forEach((precision, i) => (hessian[i * DIMENSION + i] = precision))
  for (const { features, sent, replied } of cells) {
    const { indices, values } = features
    const rate = sigmoid(dotSparse(features, mean))
    const [error, curvature] = [replied - sent * rate, sent * rate * (1 - rate)]
    for (let a = 0; a < indices.length; a++) {
      gradient[indices[a]!]! += error * values[a]!
      for (let b = 0; b <= a; b++) {
        // Indices ascend, so this is the lower half.
        hessian[indices[a]! * DIMENSION + indices[b]!]! += curvature * values[a]! * values[b]!
      }
    }
  }
  return { gradient, hessian }
}
