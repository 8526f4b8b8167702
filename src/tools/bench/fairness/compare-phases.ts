import { roundTo } from '../../../text/round-to.js'
import { quantile } from '../../statistics/quantile.js'
import type { HealthSummary } from './health-probe.js'
import type { ClientCall } from './paced-clients.js'

/** What a victim must keep while another organisation attacks. */
export const TARGETS = { minThroughputRatio: 0.8, maxP99Ratio: 2, maxHealthMs: 100 } as const

/**
 * What a phase may miss a target by on a machine that is not quiet. A p99 of a hundred calls is one of its slowest two, and
 * doubles by chance where a share of it does not.
 */
export const NOISE_MARGIN = { throughputRatio: 0.05, p99Ratio: 0.5, healthMs: 50 } as const

/** Calls of the victim during a time, and the health of the server. */
export interface Phase {
  seconds: number
  calls: readonly ClientCall[]
  health: HealthSummary
}

export interface KindSummary {
  calls: number
  served: number
  p50Ms: number
  longestMs: number
}

/** What became of the victim's calls in one phase, or in several together. */
export interface PhaseSummary {
  calls: number
  /** Answers with status 200 before the end of the phase. */
  servedPerSecond: number
  p50Ms: number
  p99Ms: number
  /** Calls by status other than 200; 0: no answer. */
  notServed: Record<string, number>
  /** What the p99, which only the slowest calls decide, does not show. */
  byKind: Record<string, KindSummary>
  healthP99Ms: number
  healthMaxMs: number
  failedProbes: number
}

export interface PhaseRatios {
  throughput: number
  p50: number
  p99: number
}

export type Verdict = 'held' | 'within noise' | 'missed'

export function summarizePhases(phases: readonly Phase[]): PhaseSummary {
  const calls = phases.flatMap((phase) => phase.calls)
  const latencies = latenciesOf(calls)
  const inTime = phases.flatMap((phase) =>
    phase.calls.filter((call) => isServed(call) && call.endedMs <= phase.seconds * 1_000),
  )
  const seconds = phases.reduce((sum, phase) => sum + phase.seconds, 0)
  return {
    calls: calls.length,
    servedPerSecond: roundTo(inTime.length / seconds, 2),
    p50Ms: roundTo(quantile(latencies, 0.5), 1),
    p99Ms: roundTo(quantile(latencies, 0.99), 1),
    notServed: countNotServed(calls),
    byKind: summarizeKinds(calls),
    healthP99Ms: roundTo(Math.max(...phases.map(({ health }) => health.p99Ms)), 1),
    healthMaxMs: roundTo(Math.max(...phases.map(({ health }) => health.maxMs)), 1),
    failedProbes: phases.reduce((sum, { health }) => sum + health.failed, 0),
  }
}

/** A call without an answer has waited at least so long; a refusal is no answer to wait for. */
function latenciesOf(calls: readonly ClientCall[]): number[] {
  const waited = calls.filter((call) => isServed(call) || call.status === 0)
  return waited.map(({ latencyMs }) => latencyMs)
}

function summarizeKinds(calls: readonly ClientCall[]): Record<string, KindSummary> {
  const kinds = [...new Set(calls.map(({ kind }) => kind))].sort()
  return Object.fromEntries(
    kinds.map((kind): [string, KindSummary] => {
      const own = calls.filter((call) => call.kind === kind)
      const latencies = latenciesOf(own)
      const summary = {
        calls: own.length,
        served: own.filter(isServed).length,
        p50Ms: roundTo(quantile(latencies, 0.5), 1),
        longestMs: roundTo(quantile(latencies, 1), 1),
      }
      return [kind, summary]
    }),
  )
}

function isServed({ status }: ClientCall): boolean {
  return status === 200
}

function countNotServed(calls: readonly ClientCall[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of calls) if (status !== 200) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** The first to the second; NaN where a phase has no served call. */
export function ratiosOf(attacked: PhaseSummary, quiet: PhaseSummary): PhaseRatios {
  return {
    throughput: roundTo(attacked.servedPerSecond / quiet.servedPerSecond, 2),
    p50: roundTo(attacked.p50Ms / quiet.p50Ms, 2),
    p99: roundTo(attacked.p99Ms / quiet.p99Ms, 2),
  }
}

/** Whether the victim kept what it must keep: exactly, only within the margin for noise, or not. */
export function judge(ratios: PhaseRatios, { healthMaxMs, failedProbes }: PhaseSummary): Verdict {
  const keeps = (margin: { throughputRatio: number; p99Ratio: number; healthMs: number }) =>
    failedProbes === 0 &&
    ratios.throughput >= TARGETS.minThroughputRatio - margin.throughputRatio &&
    ratios.p99 <= TARGETS.maxP99Ratio + margin.p99Ratio &&
    healthMaxMs <= TARGETS.maxHealthMs + margin.healthMs
  if (keeps({ throughputRatio: 0, p99Ratio: 0, healthMs: 0 })) return 'held'
  return keeps(NOISE_MARGIN) ? 'within noise' : 'missed'
}
