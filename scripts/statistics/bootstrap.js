import { quantile } from './quantile.js'
import { seededRandom } from './random.js'

const RESAMPLES = 1_000
const LEVEL = 0.95

/**
 * Percentile bootstrap interval at 95 % of a statistic over rows; undefined for fewer than two rows.
 * Source: Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13.
 * @template Row
 * @param {readonly Row[]} rows
 * @param {(rows: Row[]) => number} statistic - NaN where a resample does not allow it, such as one class only
 * @param {number} seed
 */
export function bootstrapInterval(rows, statistic, seed) {
  if (rows.length < 2) return undefined
  const random = seededRandom(seed)
  const draw = () => /** @type {Row} */ (rows[Math.floor(random() * rows.length)])
  const values = Array.from({ length: RESAMPLES }, () => statistic(rows.map(draw))).filter(
    (value) => Number.isFinite(value),
  )
  if (values.length === 0) return undefined
  const tail = (1 - LEVEL) / 2
  return { low: quantile(values, tail), high: quantile(values, 1 - tail) }
}
