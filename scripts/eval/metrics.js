import { mean } from '../../dist/tools/statistics/agreement.js'
import { bootstrapInterval } from '../../dist/tools/statistics/bootstrap.js'

/**
 * One number of the report.
 * @typedef {object} Metric
 * @property {string} name - unique within the measure, for programs
 * @property {string} title - for people
 * @property {number | null} value - null where there was nothing to measure
 * @property {{ low: number, high: number } | undefined} interval - bootstrap, 95 %; undefined where there is none
 * @property {number} n - rows it rests on
 * @property {'share' | 'number' | 'milliseconds'} unit
 * @property {{ min?: number, max?: number } | undefined} target
 */

/**
 * A statistic of rows with its interval. Rows that are not independent, such as the openers of one answer, are resampled
 * together where `groupOf` is the same for them. Without a `seed` there is no interval: for a statistic that repetition
 * changes, such as how many texts are different, no resample is like the sample.
 * Source: Field and Welsh, "Bootstrapping clustered data", 2007 (the cluster bootstrap).
 * @template Row
 * @param {string} name
 * @param {string} title
 * @param {{ rows: readonly Row[], statistic: (rows: readonly Row[]) => number, seed?: number, groupOf?: (row: Row) => unknown, unit?: Metric['unit'], target?: Metric['target'] }} options
 * @returns {Metric}
 */
export function metricOf(name, title, { rows, statistic, seed, groupOf, unit = 'number', target }) {
  const value = statistic(rows)
  const groups = groupOf ? groupRows(rows, groupOf) : rows.map((row) => [row])
  return {
    name,
    title,
    value: Number.isFinite(value) ? value : null,
    interval:
      seed === undefined
        ? undefined
        : bootstrapInterval(groups, (drawn) => statistic(drawn.flat()), seed),
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
 * @param {{ rows: readonly Row[], holds: (row: Row) => boolean, seed: number, groupOf?: (row: Row) => unknown, target?: Metric['target'] }} options
 */
export function shareOf(name, title, { rows, holds, groupOf, ...rest }) {
  const outcomes = rows.map((row) => ({ row, holds: Number(holds(row)) }))
  return metricOf(name, title, {
    rows: outcomes,
    statistic: (some) => mean(some.map((outcome) => outcome.holds)),
    groupOf: groupOf && (({ row }) => groupOf(row)),
    unit: 'share',
    ...rest,
  })
}

/**
 * @template Row
 * @param {readonly Row[]} rows
 * @param {(row: Row) => unknown} groupOf
 */
function groupRows(rows, groupOf) {
  /** @type {Map<unknown, Row[]>} */
  const groups = new Map()
  for (const row of rows) {
    const key = groupOf(row)
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return [...groups.values()]
}

/** Whether a value lies within its target; undefined without one. */
export function meetsTarget(/** @type {Metric} */ { value, target }) {
  if (!target || value === null) return undefined
  return value >= (target.min ?? -Infinity) && value <= (target.max ?? Infinity)
}
