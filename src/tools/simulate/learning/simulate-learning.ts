import { formatTable } from '../../bench/report/publish.js'
import { comparePolicies } from './compare-policies.js'
import { writePart, type ReportPart } from './report/learning-page.js'
import { plotCurves } from './report/plot-curves.js'
import {
  tabulateOffPolicy,
  tabulatePooling,
  tabulateScenario,
  tabulateShares,
  tabulateUplift,
} from './report/report-tables.js'
import { SCENARIOS, type Scenario, type ScenarioName } from './scenarios.js'
import { simulateOffPolicy } from './simulate-off-policy.js'
import { simulatePooling } from './simulate-pooling.js'
import { simulateUplift, UPLIFT_SCENARIOS } from './simulate-uplift.js'
import { curveOf, type Summarized } from './summarize.js'

export interface SimulationOptions {
  /** Populations of each scenario. */
  seeds: number
  /** For the coverage of intervals. */
  runs: number
  /** Openers of each run; default: as the scenario says. */
  sent?: number
  writeReport?: boolean
}

/** What is simulated besides the scenarios. */
const CHECKS = {
  uplift: ({ runs }: SimulationOptions) => [
    tabulateUplift(UPLIFT_SCENARIOS.map((scenario) => simulateUplift(scenario, runs))),
  ],
  'off-policy': ({ seeds }: SimulationOptions) => [tabulateOffPolicy(simulateOffPolicy(seeds))],
  pooling: ({ seeds }: SimulationOptions) => [tabulatePooling(simulatePooling(seeds))],
}

export const PARTS = [...Object.keys(SCENARIOS), ...Object.keys(CHECKS)]

/** Simulates the parts with these names, prints their tables and, on request, writes them into the documentation. */
export function simulateLearning(names: readonly string[], options: SimulationOptions): void {
  for (const name of names) {
    const startedAt = performance.now()
    const part = simulatePart(name, options)
    const minutes = (performance.now() - startedAt) / 60_000
    console.log(`\n${name}, ${minutes.toFixed(1)} minutes\n`)
    for (const rows of part.tables) console.log(`${formatTable(rows)}\n`)
    if (options.writeReport) writePart(part)
  }
}

function simulatePart(name: string, options: SimulationOptions): ReportPart {
  if (name in CHECKS) return { name, tables: CHECKS[name as keyof typeof CHECKS](options) }
  const { seeds, sent } = options
  const standard: Scenario = SCENARIOS[name as ScenarioName]
  const scenario = { ...standard, total: sent ?? standard.total }
  const summarized = { scenario, comparison: comparePolicies(scenario, seeds) }
  const overview = tabulateScenario(summarized)
  // Without effects there is no way from uniform choice to the oracle.
  if (scenario.population.effectSize === 0) return { name, tables: [[overview]] }
  return { name, tables: [[overview], tabulateShares(summarized)], plot: plot(summarized) }
}

function plot(summarized: Summarized): string {
  const { title, policies, changesAt } = summarized.scenario
  const compared = policies.filter((name) => name !== 'uniform' && name !== 'oracle')
  const curves = Object.fromEntries(compared.map((name) => [name, curveOf(summarized, name)]))
  return plotCurves({ title, curves, changesAt })
}
