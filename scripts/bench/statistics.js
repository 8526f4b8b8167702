import os from 'node:os'
import process from 'node:process'

/** Quantile by the nearest rank. */
export function quantile(/** @type {number[]} */ values, /** @type {number} */ share) {
  const sorted = [...values].sort((left, right) => left - right)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

/** p50, p95 and range of some milliseconds, for a table. */
export function summarize(/** @type {number[]} */ milliseconds) {
  const round = (/** @type {number} */ value) => Math.round(value * 10) / 10
  return {
    n: milliseconds.length,
    p50: round(quantile(milliseconds, 0.5)),
    p95: round(quantile(milliseconds, 0.95)),
    min: round(Math.min(...milliseconds)),
    max: round(Math.max(...milliseconds)),
  }
}

export function describeMachine() {
  return {
    cpu: os.cpus()[0]?.model.trim(),
    cores: os.availableParallelism(),
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    node: process.version,
  }
}
