import type { OpenerReranker } from '../../inference/language/opener-guidance.js'

export interface Row {
  profile: number
  /** Who gave the grade */
  reader: string
  style: string
  /** What the candidate begins with */
  pattern: string
  features: Record<string, number>
  /** 0 makes no sense, 1 sensible, 2 would be sent */
  grade: number
}

type LogisticModel = OpenerReranker['sensible']
export type FittedModels = Pick<OpenerReranker, 'sensible' | 'sent'>

const STEPS = 600
const LEARNING_RATE = 0.05
/** Pull on the weights of features, of beginnings and of readers towards 0, for the whole of the data. */
const RIDGE = { feature: 8, beginning: 1.5, reader: 0.1 }

/**
 * A logistic regression each for whether a candidate makes sense and whether it would be sent: what is bland makes sense
 * and is not sent, what is bold may be either. How strict a reader is counts for that reader alone; the reranker is as
 * strict as they are on average.
 * @param options - graded candidates that a beginning needs for a weight of its own
 */
export function fitReranker(rows: Row[], options: { leastSeen: number }): FittedModels {
  return {
    sensible: fitModel(rows, ({ grade }) => grade >= 1, options),
    sent: fitModel(rows, ({ grade }) => grade >= 2, options),
  }
}

function fitModel(
  rows: Row[],
  isGood: (row: Row) => boolean,
  { leastSeen }: { leastSeen: number },
): LogisticModel {
  const names = Object.keys(rows[0]?.features ?? {})
  const scale = names.map((name) => spread(rows.map(({ features }) => features[name] ?? 0)))
  const counts = countBy(rows.map(({ pattern }) => pattern))
  const patterns = [...counts].filter(([, seen]) => seen >= leastSeen).map(([key]) => key)
  const readers = [...new Set(rows.map(({ reader }) => reader))]
  const columns = [
    ...names.map(() => RIDGE.feature),
    ...patterns.map(() => RIDGE.beginning),
    ...readers.map(() => RIDGE.reader),
    0,
  ]
  const readersFrom = names.length + patterns.length
  const biasAt = readersFrom + readers.length
  const patternAt = new Map(patterns.map((pattern, i) => [pattern, names.length + i]))
  const data = rows.map((row) => {
    const inputs = names.map(
      (name, i) => [i, (row.features[name] ?? 0) / (scale[i] ?? 1)] as [number, number],
    )
    const pattern = patternAt.get(row.pattern)
    if (pattern !== undefined) inputs.push([pattern, 1])
    inputs.push([readersFrom + readers.indexOf(row.reader), 1], [biasAt, 1])
    return { inputs, isGood: isGood(row) }
  })
  const weights = minimize(columns.length, (weights) => {
    const gradient = weights.map((weight, i) => weight * (columns[i] ?? 0))
    for (const { inputs, isGood } of data) {
      const sum = inputs.reduce((total, [i, value]) => total + value * (weights[i] ?? 0), 0)
      const error = sigmoid(sum) - Number(isGood)
      for (const [i, value] of inputs) gradient[i]! += error * value
    }
    return gradient
  })
  return {
    bias: round(weights[biasAt] ?? 0),
    weights: Object.fromEntries(
      names.map((name, i) => [name, round((weights[i] ?? 0) / (scale[i] ?? 1))]),
    ) as LogisticModel['weights'],
    beginnings: Object.fromEntries(
      patterns.map((pattern, i) => [pattern, round(weights[names.length + i] ?? 0)]),
    ),
  }
}

/** Adam, after D. Kingma and J. Ba, 2015, with its usual constants. */
function minimize(size: number, gradientAt: (weights: number[]) => number[]) {
  const weights = Array.from({ length: size }, () => 0)
  const means = [...weights]
  const squares = [...weights]
  for (let step = 1; step <= STEPS; step++) {
    for (const [i, slope] of gradientAt(weights).entries()) {
      means[i] = 0.9 * (means[i] ?? 0) + 0.1 * slope
      squares[i] = 0.999 * (squares[i] ?? 0) + 0.001 * slope ** 2
      const mean = means[i] / (1 - 0.9 ** step)
      weights[i]! -= (LEARNING_RATE * mean) / (Math.sqrt(squares[i] / (1 - 0.999 ** step)) + 1e-8)
    }
  }
  return weights
}

function countBy(keys: string[]) {
  const counts: Map<string, number> = new Map()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

function spread(values: number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
  return Math.sqrt(variance) || 1
}

function sigmoid(value: number) {
  return 1 / (1 + Math.exp(-value))
}

function round(value: number) {
  return Math.round(value * 1_000) / 1_000
}
