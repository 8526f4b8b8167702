import { median, quantile } from '../statistics/quantile.js'

/** p50, p95 and range of some milliseconds, for a table. */
export function summarize(/** @type {number[]} */ milliseconds) {
  const round = (/** @type {number} */ value) => Math.round(value * 10) / 10
  return {
    n: milliseconds.length,
    p50: round(median(milliseconds)),
    p95: round(quantile(milliseconds, 0.95)),
    min: round(Math.min(...milliseconds)),
    max: round(Math.max(...milliseconds)),
  }
}

const LEAST_FOR_P99 = 100

/** The slowest of some milliseconds: p99 from a hundred values on, since that of fewer is the longest. */
export function summarizeTail(/** @type {number[]} */ milliseconds) {
  const longestMs = roundTo(quantile(milliseconds, 1), 1)
  if (milliseconds.length < LEAST_FOR_P99) return { longestMs }
  return { p99Ms: roundTo(quantile(milliseconds, 0.99), 1), longestMs }
}

/** p99, or the longest by its name, for a table; undefined of nothing. */
export function showTail(
  /** @type {{ p99Ms?: number, longestMs: number }} */ { p99Ms, longestMs },
) {
  if (Number.isNaN(longestMs)) return undefined
  return p99Ms ?? `${longestMs} (longest)`
}

/** Median and range over repetitions. */
export function spread(/** @type {number[]} */ values, digits = 1) {
  const rounded = (/** @type {number} */ value) => roundTo(value, digits)
  return {
    median: rounded(median(values)),
    min: rounded(Math.min(...values)),
    max: rounded(Math.max(...values)),
  }
}

/** `median (min–max)` for a table. */
export function showSpread(/** @type {ReturnType<typeof spread>} */ { median: middle, min, max }) {
  return `${middle} (${min}–${max})`
}

export function roundTo(/** @type {number} */ value, /** @type {number} */ digits) {
  return Number(value.toFixed(digits))
}
