import { roundTo } from '../../../text/round-to.js'
import { median, quantile } from '../../statistics/quantile.js'

/** Milliseconds of `n` samples. */
export interface LatencySummary {
  n: number
  p50: number
  p95: number
  min: number
  max: number
}

/** Summarizes latencies for a table. */
export function summarizeLatencies(milliseconds: readonly number[]): LatencySummary {
  return {
    n: milliseconds.length,
    p50: roundTo(median(milliseconds), 1),
    p95: roundTo(quantile(milliseconds, 0.95), 1),
    min: roundTo(Math.min(...milliseconds), 1),
    max: roundTo(Math.max(...milliseconds), 1),
  }
}

/** The p99 of fewer samples is their maximum. */
const MIN_SAMPLES_FOR_P99 = 100

/** The slowest samples in milliseconds; `longestMs` is NaN without samples. */
export interface Tail {
  /** Only of a hundred samples or more. */
  p99Ms?: number
  longestMs: number
}

export function summarizeTail(milliseconds: readonly number[]): Tail {
  const longestMs = roundTo(quantile(milliseconds, 1), 1)
  if (milliseconds.length < MIN_SAMPLES_FOR_P99) return { longestMs }
  return { p99Ms: roundTo(quantile(milliseconds, 0.99), 1), longestMs }
}

/** Table cell with the p99, or the maximum labelled as such; undefined without samples. */
export function formatTail({ p99Ms, longestMs }: Tail): number | string | undefined {
  if (Number.isNaN(longestMs)) return undefined
  return p99Ms ?? `${longestMs} (longest)`
}

/** Median and range over repetitions. */
export interface Spread {
  median: number
  min: number
  max: number
}

export function summarizeSpread(values: readonly number[], decimals = 1): Spread {
  return {
    median: roundTo(median(values), decimals),
    min: roundTo(Math.min(...values), decimals),
    max: roundTo(Math.max(...values), decimals),
  }
}

/** Table cell `median (min–max)`. */
export function formatSpread(spread: Spread): string {
  return `${spread.median} (${spread.min}–${spread.max})`
}
