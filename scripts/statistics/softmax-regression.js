import { mean } from './agreement.js'

const STEPS = 1_500
const LEARNING_RATE = 0.5

/**
 * Softmax regression on standardised features, by gradient descent on the cross-entropy with a ridge on the weights. The
 * models returned take the features as they are.
 * @param {number[][]} rows - [n, d]
 * @param {number[][]} targets - [n, classes], each row a distribution
 * @param {number} ridge
 * @returns {{ bias: number, weights: number[] }[]} one linear model a class
 */
export function fitSoftmax(rows, targets, ridge) {
  const columns = rows[0].map((_, j) => rows.map((row) => row[j]))
  const centers = columns.map(mean)
  const spreads = columns.map(
    (column, j) => Math.sqrt(mean(column.map((value) => (value - centers[j]) ** 2))) || 1,
  )
  const inputs = rows.map((row) =>
    Float64Array.from(row, (value, j) => (value - centers[j]) / spreads[j]),
  )
  const models = targets[0].map(() => ({ bias: 0, weights: new Float64Array(columns.length) }))
  for (let step = 0; step < STEPS; step++) descend(models, inputs, targets, ridge)
  return models.map(({ bias, weights }) => {
    const scaled = [...weights].map((weight, j) => weight / spreads[j])
    return {
      bias: bias - scaled.reduce((sum, weight, j) => sum + weight * centers[j], 0),
      weights: scaled,
    }
  })
}

/**
 * @param {{ bias: number, weights: Float64Array }[]} models - changed in place
 * @param {Float64Array[]} inputs
 * @param {number[][]} targets
 * @param {number} ridge
 */
function descend(models, inputs, targets, ridge) {
  const gradients = models.map(({ weights }) => ({
    bias: 0,
    weights: weights.map((weight) => ridge * weight),
  }))
  inputs.forEach((input, i) => {
    const logits = models.map(({ bias, weights }) =>
      weights.reduce((sum, weight, j) => sum + weight * input[j], bias),
    )
    const highest = Math.max(...logits)
    const powers = logits.map((logit) => Math.exp(logit - highest))
    const total = powers.reduce((sum, power) => sum + power, 0)
    gradients.forEach((gradient, k) => {
      const error = (powers[k] / total - targets[i][k]) / inputs.length
      gradient.bias += error
      for (let j = 0; j < input.length; j++) gradient.weights[j] += error * input[j]
    })
  })
  models.forEach((model, k) => {
    model.bias -= LEARNING_RATE * gradients[k].bias
    model.weights.forEach((_, j) => (model.weights[j] -= LEARNING_RATE * gradients[k].weights[j]))
  })
}
