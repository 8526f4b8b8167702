import type { LatencyInStep, UsageInStep } from '../../../usage/usage-report.js'
import type { UsageStep } from '../../../usage/usage-steps.js'
import type { ChartSpec } from '../../analytics/chart-spec.js'
import { formatStep } from '../../analytics/format-step.js'
import { CAPABILITY_LABELS, listCapabilities } from '../../analytics/labels.js'

export function requestsChart(steps: readonly UsageInStep[], step: UsageStep): ChartSpec {
  return {
    kind: 'bars',
    ...timesOf(steps, step),
    unit: 'count',
    series: listCapabilities().map((capability, index) => ({
      label: CAPABILITY_LABELS[capability],
      color: (index + 1) as 1 | 2 | 3 | 4,
      values: steps.map((row) => row.requests[capability]),
    })),
  }
}

export function latencyChart(steps: readonly LatencyInStep[], step: UsageStep): ChartSpec {
  return {
    kind: 'lines',
    ...timesOf(steps, step),
    unit: 'milliseconds',
    series: (['p50', 'p95', 'p99'] as const).map((quantile, index) => ({
      label: quantile,
      color: (index + 1) as 1 | 2 | 3,
      values: steps.map((row) => row[quantile] ?? null),
    })),
  }
}

function timesOf(steps: readonly { startsAt: number }[], step: UsageStep) {
  return {
    times: steps.map(({ startsAt }) => startsAt / 1_000),
    timeLabels: steps.map(({ startsAt }) => formatStep(step, startsAt)),
    isLastUnfinished: true,
  }
}
