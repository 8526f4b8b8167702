import {
  RERANKER_FEATURES,
  type OpenerReranker,
  type RerankerFeature,
} from '../../inference/language/opener-guidance.js'
import { roundTo } from '../../text/round-to.js'
import { mean } from '../statistics/agreement.js'

/** A candidate with the grade of one reader. */
export interface GradedCandidate {
  /** Who gave the grade. */
  reader: string
  /** Template of the beginning. */
  pattern: string
  features: Record<RerankerFeature, number>
  /** 0 makes no sense, 1 makes sense, 2 would be sent. */
  grade: number
}

export type RerankerModels = Pick<OpenerReranker, 'sensible' | 'sent'>

type LogisticModel = RerankerModels['sensible']
/** Nonzero columns of a design matrix row with their values. */
type SparseRow = [column: number, value: number][]

/** Columns of the design matrix: features, then beginnings, then readers, then the bias. */
interface Columns {
  /** Standard deviation of each feature. */
  scales: number[]
  patterns: string[]
  readers: string[]
  firstReader: number
  bias: number
}

const STEPS = 600
const LEARNING_RATE = 0.05
/** Ridge penalty on weights, for the sum of the losses of all candidates. */
const RIDGE = { feature: 8, beginning: 1.5, reader: 0.1 }
const DECIMALS = 3

/**
 * Fits two logistic regressions: whether a candidate makes sense and whether it would be sent. A bland candidate makes sense
 * and is not sent, a bold one may be either. Each reader has a bias, which is dropped from the result: the models are as
 * strict as the readers on average.
 * @param options.minCount - graded candidates that a beginning needs for a weight of its own
 */
export function fitReranker(
  candidates: readonly GradedCandidate[],
  { minCount }: { minCount: number },
): RerankerModels {
  const columns = createColumns(candidates, minCount)
  const rows = candidates.map((candidate) => toSparseRow(candidate, columns))
  const fit = (minGrade: number) =>
    fitModel(
      rows,
      candidates.map(({ grade }) => grade >= minGrade),
      columns,
    )
  return { sensible: fit(1), sent: fit(2) }
}

function createColumns(candidates: readonly GradedCandidate[], minCount: number): Columns {
  const counts = new Map<string, number>()
  for (const { pattern } of candidates) counts.set(pattern, (counts.get(pattern) ?? 0) + 1)
  const patterns = [...counts].filter(([, count]) => count >= minCount).map(([pattern]) => pattern)
  const readers = [...new Set(candidates.map(({ reader }) => reader))]
  const firstReader = RERANKER_FEATURES.length + patterns.length
  return {
    scales: RERANKER_FEATURES.map((name) =>
      standardDeviation(candidates.map(({ features }) => features[name])),
    ),
    patterns,
    readers,
    firstReader,
    bias: firstReader + readers.length,
  }
}

function toSparseRow(
  { features, pattern, reader }: GradedCandidate,
  { scales, patterns, readers, firstReader, bias }: Columns,
): SparseRow {
  const row: SparseRow = RERANKER_FEATURES.map((name, i) => [i, features[name] / scales[i]!])
  const beginning = patterns.indexOf(pattern)
  if (beginning !== -1) row.push([RERANKER_FEATURES.length + beginning, 1])
  row.push([firstReader + readers.indexOf(reader), 1], [bias, 1])
  return row
}

function fitModel(
  rows: readonly SparseRow[],
  isPositive: readonly boolean[],
  { scales, patterns, readers, bias }: Columns,
): LogisticModel {
  const penalties = [
    ...scales.map(() => RIDGE.feature),
    ...patterns.map(() => RIDGE.beginning),
    ...readers.map(() => RIDGE.reader),
    0,
  ]
  const weights = minimize(penalties.length, (current) => {
    const gradient = current.map((weight, i) => weight * penalties[i]!)
    for (const [i, row] of rows.entries()) {
      const logit = row.reduce((sum, [column, value]) => sum + value * current[column]!, 0)
      const error = 1 / (1 + Math.exp(-logit)) - Number(isPositive[i])
      for (const [column, value] of row) gradient[column]! += error * value
    }
    return gradient
  })
  const featureWeights = RERANKER_FEATURES.map((name, i) => [
    name,
    roundTo(weights[i]! / scales[i]!, DECIMALS),
  ])
  const beginningWeights = patterns.map((pattern, i) => [
    pattern,
    roundTo(weights[RERANKER_FEATURES.length + i]!, DECIMALS),
  ])
  return {
    bias: roundTo(weights[bias]!, DECIMALS),
    weights: Object.fromEntries(featureWeights) as LogisticModel['weights'],
    beginnings: Object.fromEntries(beginningWeights) as LogisticModel['beginnings'],
  }
}

/**
 * Minimizes a function by its gradient, from zero.
 * Source: D. Kingma and J. Ba, "Adam", 2015, with its default decay rates.
 */
function minimize(size: number, gradientAt: (weights: number[]) => number[]): number[] {
  const weights = Array.from({ length: size }, () => 0)
  const means = [...weights]
  const squares = [...weights]
  for (let step = 1; step <= STEPS; step++) {
    for (const [i, slope] of gradientAt(weights).entries()) {
      means[i] = 0.9 * means[i]! + 0.1 * slope
      squares[i] = 0.999 * squares[i]! + 0.001 * slope ** 2
      const momentum = means[i] / (1 - 0.9 ** step)
      const variance = squares[i] / (1 - 0.999 ** step)
      weights[i]! -= (LEARNING_RATE * momentum) / (Math.sqrt(variance) + 1e-8)
    }
  }
  return weights
}

/** 1 for equal values, so that it can scale them. */
function standardDeviation(values: readonly number[]): number {
  const center = mean(values)
  return Math.sqrt(mean(values.map((value) => (value - center) ** 2))) || 1
}
