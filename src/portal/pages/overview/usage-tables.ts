import type { CapabilityUsage, UsageInStep } from '../../../usage/usage-report.js'
import { isError } from '../../../usage/usage-report.js'
import type { UsageOutcome } from '../../../usage/usage-outcome.js'
import type { UsageStep } from '../../../usage/usage-steps.js'
import { CAPABILITY_NAMES, listCapabilities } from '../../analytics/names.js'
import { formatCount, formatLatency, formatShare } from '../../analytics/number-format.js'
import { roundShare, type ReportColumn, type ReportTable } from '../../analytics/report-table.js'
import { stepLabel, stepName } from '../../analytics/step-label.js'
import type { LatencyInStep } from '../../../usage/usage-report.js'

export function errorsOf({ outcomes }: CapabilityUsage): number {
  return [...outcomes].reduce((sum, [outcome, count]) => sum + (isError(outcome) ? count : 0), 0)
}

/** Requests, errors and latency of each capability. */
export function capabilitiesTable(usage: readonly CapabilityUsage[]): ReportTable<CapabilityUsage> {
  const errorShare = (row: CapabilityUsage) =>
    row.requests === 0 ? null : errorsOf(row) / row.requests
  return {
    caption: 'Requests, errors and latency by capability',
    columns: [
      {
        label: 'Capability',
        text: ({ capability }) => CAPABILITY_NAMES[capability],
        values: { capability: ({ capability }) => capability },
      },
      countColumn('Requests', 'requests', ({ requests }) => requests),
      countColumn('Errors', 'errors', errorsOf),
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
          CAPABILITY_NAMES[capability],
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

/** How often each outcome was, errors first, the most frequent first. */
export interface OutcomeCount {
  outcome: UsageOutcome
  count: number
  share: number
}

export function outcomesOf(usage: readonly CapabilityUsage[]): OutcomeCount[] {
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

const OTHER_OUTCOMES: Partial<Record<UsageOutcome, string>> = {
  ok: 'Answered and charged',
  replayed: 'Retry, answered as before, not charged',
  client_left: 'The client left before the answer',
}

export function outcomesTable(rows: readonly OutcomeCount[]): ReportTable<OutcomeCount> {
  return {
    caption: 'Requests by what became of them',
    columns: [
      {
        label: 'Outcome',
        text: ({ outcome }) => OTHER_OUTCOMES[outcome] ?? `Error ${outcome}`,
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
    text: ({ startsAt }) => stepLabel(step, startsAt),
    values: { [`${step}_utc`]: ({ startsAt }) => stepName(step, startsAt) },
  }
}
