import { Argument, Command, Option } from 'commander'
import { parseCount } from '../parse-count.js'
import { PARTS, simulateLearning, type SimulationOptions } from './learning/simulate-learning.js'

/** Runs a part of the service in a simulated world: `npm run simulate -- learning`. */

const SEEDS = 20
const RUNS = 1_000

const command = new Command('npm run simulate --')
  .description('Simulates people who answer openers, and compares policies that choose openers.')
  .addArgument(new Argument('<subject>', 'what is simulated').choices(['learning']))
  .option('--seeds <count>', 'populations of each scenario', parseCount, SEEDS)
  .option('--runs <count>', 'runs for the coverage of intervals', parseCount, RUNS)
  .option('--sent <count>', 'openers sent in each run; default: as the scenario says', parseCount)
  .addOption(new Option('--scenario <names...>', 'only these').choices(PARTS).default(PARTS))
  .option('--write-report', 'write tables and plots into docs/learning.md')
  .parse()

const { scenario, ...options } = command.opts<SimulationOptions & { scenario: string[] }>()
simulateLearning(scenario, options)
