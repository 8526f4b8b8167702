import { mean } from './agreement.js'

const TOLERANCE = 1e-6

/**
 * Ridge regression of several targets on the same rows, by conjugate gradients on the normal equations.
 * Source: Hestenes and Stiefel, "Methods of conjugate gradients for solving linear systems", 1952.
 * @param {readonly Float32Array[]} rows - [n, d]
 * @param {readonly (readonly number[])[]} targets - [targets, n]
 * @param {number} ridge
 * @returns {{ bias: number, weights: Float64Array }[]} one linear model a target
 */
export function fitRidge(rows, targets, ridge) {
  const size = rows[0].length
  const center = Float64Array.from({ length: size }, (_, j) => mean(rows.map((row) => row[j])))
  const centered = rows.map((row) => Float64Array.from(row, (value, j) => value - center[j]))
  const gram = gramOf(centered, ridge)
  return targets.map((target) => {
    const middle = mean(target)
    const moments = new Float64Array(size)
    centered.forEach((row, i) => addScaled(moments, row, target[i] - middle))
    const weights = solve(gram, moments)
    return { bias: middle - dot(weights, center), weights }
  })
}

/** [d, d]: the products of all columns with each other, the ridge on the diagonal. */
function gramOf(/** @type {Float64Array[]} */ rows, /** @type {number} */ ridge) {
  const gram = Array.from(rows[0], () => new Float64Array(rows[0].length))
  for (const row of rows) gram.forEach((line, j) => addScaled(line, row, row[j]))
  gram.forEach((line, j) => (line[j] += ridge))
  return gram
}

/** The x of `matrix` x = `wanted`, for a symmetric positive matrix. */
function solve(/** @type {Float64Array[]} */ matrix, /** @type {Float64Array} */ wanted) {
  const solution = new Float64Array(wanted.length)
  const residual = Float64Array.from(wanted)
  let direction = Float64Array.from(wanted)
  let squared = dot(residual, residual)
  const enough = TOLERANCE ** 2 * squared
  for (let step = 0; step < wanted.length && squared > enough; step++) {
    const image = Float64Array.from(matrix, (line) => dot(line, direction))
    const length = squared / dot(direction, image)
    addScaled(solution, direction, length)
    addScaled(residual, image, -length)
    const next = dot(residual, residual)
    direction = direction.map((value, i) => residual[i] + (next / squared) * value)
    squared = next
  }
  return solution
}

function dot(/** @type {Float64Array} */ left, /** @type {Float64Array} */ right) {
  let sum = 0
  for (let i = 0; i < left.length; i++) sum += left[i] * right[i]
  return sum
}

function addScaled(
  /** @type {Float64Array} */ target,
  /** @type {Float64Array} */ vector,
  /** @type {number} */ factor,
) {
  for (let i = 0; i < target.length; i++) target[i] += factor * vector[i]
}
