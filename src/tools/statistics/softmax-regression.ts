import { mean } from './agreement.js'

const STEPS = 1_500
const LEARNING_RATE = 0.5

type Matrix = readonly (readonly number[])[]

/** Logit of one class: `bias + weights · features`. */
export interface LinearModel {
  bias: number
  weights: number[]
}

/**
 * Softmax regression by gradient descent on the cross-entropy with a ridge penalty on the weights. Features are
 * standardized for the fit; the returned models take them unscaled.
 * @param rows - [n, d]
 * @param targets - [n, classes], each row a distribution
 * @returns one linear model per class
 */
export function fitSoftmax(rows: Matrix, targets: Matrix, ridge: number): LinearModel[] {
  const columns = rows[0]!.map((_, j) => rows.map((row) => row[j]!))
  const centers = columns.map(mean)
  const scales = columns.map(
    (column, j) => Math.sqrt(mean(column.map((value) => (value - centers[j]!) ** 2))) || 1,
  )
  const inputs = rows.map((row) => row.map((value, j) => (value - centers[j]!) / scales[j]!))
  const models = targets[0]!.map(() => ({ bias: 0, weights: columns.map(() => 0) }))
  for (let step = 0; step < STEPS; step++) descend(models, inputs, targets, ridge)
  return models.map(({ bias, weights }) => {
    const unscaled = weights.map((weight, j) => weight / scales[j]!)
    return {
      bias: bias - unscaled.reduce((sum, weight, j) => sum + weight * centers[j]!, 0),
      weights: unscaled,
    }
  })
}

/** One step of gradient descent; updates the models in place. */
function descend(models: LinearModel[], inputs: Matrix, targets: Matrix, ridge: number): void {
  const gradients = models.map(({ weights }) => ({
    bias: 0,
    weights: weights.map((weight) => ridge * weight),
  }))
  inputs.forEach((input, i) => {
    const probabilities = softmax(
      models.map(({ bias, weights }) =>
        weights.reduce((sum, weight, j) => sum + weight * input[j]!, bias),
      ),
    )
    gradients.forEach((gradient, k) => {
      const error = (probabilities[k]! - targets[i]![k]!) / inputs.length
      gradient.bias += error
      input.forEach((value, j) => (gradient.weights[j]! += error * value))
    })
  })
  models.forEach((model, k) => {
    const gradient = gradients[k]!
    model.bias -= LEARNING_RATE * gradient.bias
    gradient.weights.forEach((slope, j) => (model.weights[j]! -= LEARNING_RATE * slope))
  })
}

function softmax(logits: readonly number[]): number[] {
  const highest = Math.max(...logits)
  const powers = logits.map((logit) => Math.exp(logit - highest))
  const total = powers.reduce((sum, power) => sum + power, 0)
  return powers.map((power) => power / total)
}
