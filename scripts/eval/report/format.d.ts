import type { Metric } from '../metrics.js'

export function formatMetric(metric: Metric): string
export function formatTarget(metric: Metric | undefined): string
