import { readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { projectDir } from '../prepare.js'

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

/** Median and range over repetitions. */
export function spread(/** @type {number[]} */ values, digits = 1) {
  const rounded = (/** @type {number} */ value) => roundTo(value, digits)
  return {
    median: rounded(quantile(values, 0.5)),
    min: rounded(Math.min(...values)),
    max: rounded(Math.max(...values)),
  }
}

/** `median (min–max)` for a table. */
export function showSpread(/** @type {ReturnType<typeof spread>} */ { median, min, max }) {
  return `${median} (${min}–${max})`
}

export function roundTo(/** @type {number} */ value, /** @type {number} */ digits) {
  return Number(value.toFixed(digits))
}

const MEASURED_PACKAGES = [
  'onnxruntime-node',
  'node-llama-cpp',
  'sharp',
  'better-sqlite3',
  'express',
]

export function describeMachine() {
  const { dependencies } = JSON.parse(readFileSync(path.join(projectDir, 'package.json'), 'utf8'))
  return {
    cpu: os.cpus()[0]?.model.trim(),
    cores: os.availableParallelism(),
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    node: process.version,
    versions: Object.fromEntries(MEASURED_PACKAGES.map((name) => [name, dependencies[name]])),
  }
}
