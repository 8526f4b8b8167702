import { Argument, Command, Option } from 'commander'
import { parseCount } from '../parse-count.js'
import { simulateLearning } from './learning/simulate-learning.js'
import { SCENARIOS, type ScenarioName } from './learning/scenarios.js'

/** Runs a part of the service against a simulated world: `npm run simulate -- learning`. */

const SEEDS = 20
const RUNS = 500

interface Options {
  seeds: number
  runs: number
  scenario?: ScenarioName[]
  sent?: number
  writeReport?: boolean
}

const command = new Command('npm run simulate --')
  .description('Simulates people who answer openers, and compares policies that choose them.')
  .addArgument(new Argument('<subject>', 'what is simulated').choices(['learning']))
  .option('--seeds <count>', 'populations of each scenario', parseCount, SEEDS)
  .option('--runs <count>', 'runs for the coverage of intervals', parseCount, RUNS)
  .option('--sent <count>', 'openers sent in each run; default: of the scenario', parseCount)
  .addOption(new Option('--scenario <names...>', 'only these').choices(Object.keys(SCENARIOS)))
  .option('--write-report', 'write tables and plots into docs/learning.md')
  .parse()

simulateLearning(command.opts<Options>())
