import { roundTo } from '../../../text/round-to.js'
import { printProfile, type ProfileSummary } from '../service/server-profile.js'
import { plotProfile } from './flame-graph.js'
import { drawLinePlot, type Point } from './line-plot.js'
import { formatTable, type Print, type Report } from './publish.js'
import { formatTail, type Tail } from './summaries.js'

/** Results of one call at one load, after the queues have filled. */
export interface LoadStep extends Tail {
  /** Multiple of the sustainable load. */
  load: number
  perSecond: number
  requests: number
  served: number
  servedPerSecond: number
  /** Answered 503. */
  refused: number
  failed: number
  p50Ms: number
  p95Ms: number
  refusal: Tail
  queueP50Ms: number
  visionP50Ms: number
  languageP50Ms: number
  eventLoopDelayP99Ms: number
  /** Mean number of cores in use by process. */
  cores: Record<string, number>
}

/** How a call behaves at three times the sustainable load. */
export interface OverloadSummary {
  p99AtThreefoldToEightTenths?: number
  /** In place of the p99 when a step has too few answers for one. */
  longestAtThreefoldToEightTenths?: number
  goodputAtThreefoldToMost: number
  longestAtThreefoldMs: number
  refusalAtThreefold: Tail
}

export interface CallLoad extends OverloadSummary {
  name: string
  sustainablePerSecond: number
  steps: LoadStep[]
}

export interface LoadReport extends Report {
  calls: CallLoad[]
  profile: ProfileSummary | undefined
}

/** Prints for each call a table of its steps and one of the cores in use. */
export function printLoad({ calls, profile }: LoadReport, print: Print): void {
  for (const { name, sustainablePerSecond, steps, ...overload } of calls) {
    print(`\n${name}: ${sustainablePerSecond} a second sustained\n`)
    print(formatTable(steps.map(toRow)))
    print('\nCores in use\n')
    print(formatTable(steps.map(({ load, cores }) => ({ load: `${load} ×`, ...cores }))))
    print(`\n${JSON.stringify(overload)}`)
  }
  if (profile) printProfile(profile, print)
}

function toRow(step: LoadStep) {
  return {
    load: `${step.load} ×`,
    'asked /s': step.perSecond,
    requests: step.requests,
    served: step.served,
    failed: step.failed,
    'served /s': step.servedPerSecond,
    'refused, %': roundTo((100 * step.refused) / step.requests, 0),
    'p50, ms': step.p50Ms,
    'p95, ms': step.p95Ms,
    'p99, ms': formatTail(step),
    'refusal p99, ms': formatTail(step.refusal),
    'queue p50, ms': step.queueP50Ms,
    'loop delay p99, ms': step.eventLoopDelayP99Ms,
  }
}

/** Plots latency and goodput over the load, and the profile of the server process. */
export function plotLoad({ benchmark, calls, profile }: LoadReport): Record<string, string> {
  const linesOf = (value: (step: LoadStep, call: CallLoad) => number) =>
    Object.fromEntries(
      calls.map((call) => [
        call.name,
        call.steps.map((step): Point => [step.load, value(step, call)]),
      ]),
    )
  const x = { name: 'load, multiples of the sustainable one' }
  return {
    [`${benchmark}-latency`]: drawLinePlot({
      title: 'p99 of served requests, the longest of fewer than a hundred',
      x,
      y: { name: 'ms', log: true },
      series: linesOf(({ p99Ms, longestMs }) => p99Ms ?? longestMs),
    }),
    [`${benchmark}-goodput`]: drawLinePlot({
      title: 'Requests served, share of the sustainable load',
      x,
      y: { name: 'share' },
      series: linesOf((step, call) => step.servedPerSecond / call.sustainablePerSecond),
    }),
    ...plotProfile({ benchmark, profile }),
  }
}
