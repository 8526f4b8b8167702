import { quantile } from './quantile.js'
import { seededRandom } from '../../core/seeded-random.js'

const RESAMPLES = 1_000
const LEVEL = 0.95

/** Both ends of a confidence interval. */
export interface Interval {
  low: number
  high: number
}

/**
 * Percentile bootstrap interval of a statistic over rows, at the 95 % level; undefined for fewer than two rows.
 * Source: Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13.
 * @param statistic - NaN for a resample that does not define it, for example one with a single class; it is left out
 */
export function bootstrapInterval<Row>(
  rows: readonly Row[],
  statistic: (rows: Row[]) => number,
  seed: number,
): Interval | undefined {
  if (rows.length < 2) return undefined
  const random = seededRandom(seed)
  const draw = () => rows[Math.floor(random() * rows.length)]!
  const values = Array.from({ length: RESAMPLES }, () => statistic(rows.map(draw))).filter(
    (value) => Number.isFinite(value),
  )
  if (values.length === 0) return undefined
  const tail = (1 - LEVEL) / 2
  return { low: quantile(values, tail), high: quantile(values, 1 - tail) }
}
