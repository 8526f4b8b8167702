import type { UsageOutcome } from '../../../usage/usage-outcome.js'
import {
  isError,
  type CapabilityUsage,
  type LatencyInStep,
  type UsageInStep,
} from '../../../usage/usage-report.js'
import type { UsageStep } from '../../../usage/usage-steps.js'
import { formatCount, formatLatency, formatShare } from '../../analytics/format-number.js'
import { formatStep, formatStepForCsv } from '../../analytics/format-step.js'
import { CAPABILITY_LABELS, listCapabilities } from '../../analytics/labels.js'
import { roundShare, type ReportColumn, type ReportTable } from '../../analytics/report-table.js'

export function countErrors({ outcomes }: CapabilityUsage): number {
  return [...outcomes].reduce((sum, [outcome, count]) => sum + (isError(outcome) ? count : 0), 0)
}

/** Requests, errors and latency of each capability. */
export function capabilitiesTable(usage: readonly CapabilityUsage[]): ReportTable<CapabilityUsage> {
  const errorShare = (row: CapabilityUsage) =>
    row.requests === 0 ? null : countErrors(row) / row.requests
  return {
    caption: 'Requests, errors and latency by capability',
    columns: [
      {
        label: 'Capability',
        text: ({ capability }) => CAPABILITY_LABELS[capability],
        values: { capability: ({ capability }) => capability },
      },
      countColumn('Requests', 'requests', ({ requests }) => requests),
      countColumn('Errors', 'errors', countErrors),
      {
        label: 'Error rate',
        numeric: true,
        text: (row) => formatShare(errorShare(row)),
        values: { error_rate: (row) => roundShare(errorShare(row)) },
      },
      ...(['p50', 'p95', 'p99'] as const).map((quantile): ReportColumn<CapabilityUsage> =>
        latencyColumn(quantile, ({ latency }) => latency[quantile]),
      ),
    ],
    rows: usage,
    rowKey: ({ capability }) => capability,
  }
}

/** Requests of each capability and errors over time. */
export function requestsTable(
  steps: readonly UsageInStep[],
  step: UsageStep,
): ReportTable<UsageInStep> {
  return {
    caption: `Requests by ${step}`,
    columns: [
      timeColumn(step),
      ...listCapabilities().map((capability): ReportColumn<UsageInStep> =>
        countColumn(
          CAPABILITY_LABELS[capability],
          capability.replaceAll('.', '_'),
          ({ requests }) => requests[capability],
        ),
      ),
      countColumn('Errors', 'errors', ({ errors }) => errors),
    ],
    rows: steps,
    rowKey: ({ startsAt }) => String(startsAt),
  }
}

/** Latency of one capability over time. */
export function latencyTable(
  steps: readonly LatencyInStep[],
  step: UsageStep,
): ReportTable<LatencyInStep> {
  return {
    caption: `Latency by ${step}`,
    columns: [
      timeColumn(step),
      ...(['p50', 'p95', 'p99'] as const).map((quantile): ReportColumn<LatencyInStep> =>
        latencyColumn(quantile, (row) => row[quantile]),
      ),
    ],
    rows: steps,
    rowKey: ({ startsAt }) => String(startsAt),
  }
}

export interface OutcomeCount {
  outcome: UsageOutcome
  count: number
  /** Of all requests, in [0, 1]. */
  share: number
}

/** Counts requests by outcome: errors first, then by frequency. */
export function countOutcomes(usage: readonly CapabilityUsage[]): OutcomeCount[] {
  const counts = new Map<UsageOutcome, number>()
  for (const { outcomes } of usage) {
    for (const [outcome, count] of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + count)
  }
  const total = usage.reduce((sum, { requests }) => sum + requests, 0)
  return [...counts]
    .map(([outcome, count]) => ({ outcome, count, share: count / total }))
    .sort(
      (left, right) =>
        Number(isError(right.outcome)) - Number(isError(left.outcome)) || right.count - left.count,
    )
}

const OUTCOME_LABELS: Partial<Record<UsageOutcome, string>> = {
  ok: 'Answered and charged',
  replayed: 'Retry: same answer again, not charged',
  client_left: 'Client left before the answer',
}

export function outcomesTable(rows: readonly OutcomeCount[]): ReportTable<OutcomeCount> {
  return {
    caption: 'Requests by outcome',
    columns: [
      {
        label: 'Outcome',
        text: ({ outcome }) => OUTCOME_LABELS[outcome] ?? `Error ${outcome}`,
        values: { outcome: ({ outcome }) => outcome },
      },
      countColumn('Requests', 'requests', ({ count }) => count),
      {
        label: 'Share',
        numeric: true,
        text: ({ share }) => formatShare(share),
        values: { share: ({ share }) => roundShare(share) },
      },
    ],
    rows,
    rowKey: ({ outcome }) => outcome,
  }
}

function countColumn<Row>(
  label: string,
  name: string,
  count: (row: Row) => number,
): ReportColumn<Row> {
  return {
    label,
    numeric: true,
    text: (row) => formatCount(count(row)),
    values: { [name]: count },
  }
}

function latencyColumn<Row>(
  quantile: string,
  latency: (row: Row) => number | undefined,
): ReportColumn<Row> {
  return {
    label: quantile,
    numeric: true,
    text: (row) => formatLatency(latency(row)),
    values: {
      [`${quantile}_ms`]: (row) => {
        const milliseconds = latency(row)
        return milliseconds === undefined ? null : Number(milliseconds.toPrecision(2))
      },
    },
  }
}

function timeColumn<Row extends { startsAt: number }>(step: UsageStep): ReportColumn<Row> {
  return {
    label: `${step[0]?.toUpperCase()}${step.slice(1)} (UTC)`,
    text: ({ startsAt }) => formatStep(step, startsAt),
    values: { [`${step}_utc`]: ({ startsAt }) => formatStepForCsv(step, startsAt) },
  }
}
