import { mean } from '../statistics/agreement.js'
import { bootstrapInterval } from '../statistics/bootstrap.js'

/**
 * One number of the report.
 * @typedef {object} Metric
 * @property {string} name - unique within the measure, for programs
 * @property {string} title - for people
 * @property {number | null} value - null where there was nothing to measure
 * @property {{ low: number, high: number } | undefined} interval - bootstrap, 95 %
 * @property {number} n - rows it rests on
 * @property {'share' | 'number' | 'milliseconds'} unit
 * @property {{ min?: number, max?: number } | undefined} target
 */

/**
 * A statistic of rows with its interval.
 * @template Row
 * @param {string} name
 * @param {string} title
 * @param {{ rows: readonly Row[], statistic: (rows: readonly Row[]) => number, seed: number, unit?: Metric['unit'], target?: Metric['target'] }} options
 * @returns {Metric}
 */
export function metricOf(name, title, { rows, statistic, seed, unit = 'number', target }) {
  const value = statistic(rows)
  return {
    name,
    title,
    value: Number.isFinite(value) ? value : null,
    interval: bootstrapInterval(rows, statistic, seed),
    n: rows.length,
    unit,
    target,
  }
}

/**
 * Share of rows for which something holds, with its interval.
 * @template Row
 * @param {string} name
 * @param {string} title
 * @param {{ rows: readonly Row[], holds: (row: Row) => boolean, seed: number, target?: Metric['target'] }} options
 */
export function shareOf(name, title, { rows, holds, ...rest }) {
  const outcomes = rows.map((row) => Number(holds(row)))
  return metricOf(name, title, { rows: outcomes, statistic: mean, unit: 'share', ...rest })
}

/** Whether a value lies within its target; undefined without one. */
export function meetsTarget(/** @type {Metric} */ { value, target }) {
  if (!target || value === null) return undefined
  return value >= (target.min ?? -Infinity) && value <= (target.max ?? Infinity)
}
