import { mean } from '../statistics/agreement.js'
import { bootstrapInterval, type Interval } from '../statistics/bootstrap.js'
import { groupRows } from '../statistics/group-rows.js'

/** One number of the report. */
export interface Metric {
  /** Unique within the measure, for programs. */
  name: string
  /** For people. */
  title: string
  /** Null if there was nothing to measure. */
  value: number | null
  /** 95 % bootstrap interval; undefined for a metric without one. */
  interval: Interval | undefined
  /** Number of rows. */
  n: number
  unit: 'share' | 'number' | 'milliseconds'
  target: Target | undefined
}

/** Bounds that a metric should keep. */
export interface Target {
  min?: number
  max?: number
}

/** The rows that a metric is computed from. */
interface Sample<Row> {
  rows: readonly Row[]
  /** Of the bootstrap. Without one, the metric has no interval. */
  seed?: number
  /** Rows of the same group depend on each other and are resampled together. Default: all rows are independent. */
  groupOf?: ((row: Row) => unknown) | undefined
  target?: Target | undefined
}

/**
 * Computes a statistic of rows with its interval. Omit the seed for a statistic that repetition changes, such as the number
 * of distinct texts: a resample with replacement does not resemble the sample.
 * Source: Field and Welsh, "Bootstrapping clustered data", 2007 (the cluster bootstrap).
 */
export function computeMetric<Row>(
  name: string,
  title: string,
  {
    rows,
    statistic,
    seed,
    groupOf,
    unit = 'number',
    target,
  }: Sample<Row> & { statistic: (rows: readonly Row[]) => number; unit?: Metric['unit'] },
): Metric {
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

/** Computes the share of rows that a condition holds for, in [0, 1], with its interval. */
export function computeShare<Row>(
  name: string,
  title: string,
  { rows, holds, groupOf, ...options }: Sample<Row> & { holds: (row: Row) => boolean },
): Metric {
  return computeMetric(name, title, {
    rows: rows.map((row) => ({ row, outcome: Number(holds(row)) })),
    statistic: (sample) => mean(sample.map(({ outcome }) => outcome)),
    groupOf: groupOf && (({ row }) => groupOf(row)),
    unit: 'share',
    ...options,
  })
}

/** Whether the value is within its target; undefined without a target or a value. */
export function meetsTarget({ value, target }: Metric): boolean | undefined {
  if (!target || value === null) return undefined
  return value >= (target.min ?? -Infinity) && value <= (target.max ?? Infinity)
}
