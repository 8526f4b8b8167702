import { formatTable } from '../../bench/report/publish.js'
import { comparePolicies } from './compare-policies.js'
import { plotCurves } from './report/plot-curves.js'
import {
  tabulateOffPolicy,
  tabulatePooling,
  tabulateScenario,
  tabulateShares,
  tabulateUplift,
} from './report/report-tables.js'
import { writeLearningPage, type ReportPart } from './report/learning-page.js'
import { SCENARIOS, type Scenario, type ScenarioName } from './scenarios.js'
import { simulateOffPolicy } from './simulate-off-policy.js'
import { simulatePooling } from './simulate-pooling.js'
import { simulateUplift, UPLIFT_SCENARIOS } from './simulate-uplift.js'
import { curveOf, type Summarized } from './summarize.js'

export interface SimulationOptions {
  seeds: number
  /** For the coverage of intervals. */
  runs: number
  /** Default: all, and the intervals, the estimates from logs and pooling. */
  scenario?: readonly ScenarioName[]
  /** Openers of each run; default: as the scenario says. */
  sent?: number
  writeReport?: boolean
}

/** Estimates from logs are slow to simulate; this share of the runs is enough to see a bias. */
const OFF_POLICY_RUNS = 5

/** Runs the scenarios, prints their tables and, on request, writes them into the documentation. */
export function simulateLearning(options: SimulationOptions): void {
  const startedAt = performance.now()
  const parts = [...compareAll(options), ...(options.scenario ? [] : checkEstimates(options))]
  const minutes = (performance.now() - startedAt) / 60_000
  console.log(`${options.seeds} seeds, ${options.runs} runs, ${minutes.toFixed(1)} minutes`)
  if (options.writeReport) writeLearningPage(parts, { ...options, minutes })
}

function compareAll({ scenario: names, seeds, sent }: SimulationOptions): ReportPart[] {
  const chosen = names ?? (Object.keys(SCENARIOS) as ScenarioName[])
  const overview: Record<string, string | number>[] = []
  const parts = chosen.map((name) => {
    const scenario: Scenario = { ...SCENARIOS[name], ...(sent !== undefined && { total: sent }) }
    const summarized = { scenario, comparison: comparePolicies(scenario, seeds) }
    overview.push(tabulateScenario(summarized))
    return print({
      title: scenario.title,
      rows: tabulateShares(summarized),
      plot: { name, svg: plot(summarized) },
    })
  })
  return [print({ title: 'All scenarios', rows: overview }), ...parts]
}

function plot(summarized: Summarized): string {
  const { title, policies, changesAt } = summarized.scenario
  const curves = Object.fromEntries(policies.map((name) => [name, curveOf(summarized, name)]))
  return plotCurves({ title, curves, changesAt })
}

function checkEstimates({ seeds, runs }: SimulationOptions): ReportPart[] {
  const uplift = UPLIFT_SCENARIOS.map((scenario) => simulateUplift(scenario, runs))
  const offPolicy = simulateOffPolicy(Math.ceil(runs / OFF_POLICY_RUNS))
  return [
    print({ title: 'Intervals of the uplift', rows: tabulateUplift(uplift) }),
    print({ title: 'Estimates from logs', rows: tabulateOffPolicy(offPolicy) }),
    print({ title: 'Pooling', rows: tabulatePooling(simulatePooling(seeds)) }),
  ]
}

function print(part: ReportPart): ReportPart {
  console.log(`\n${part.title}\n\n${formatTable(part.rows)}`)
  return part
}
