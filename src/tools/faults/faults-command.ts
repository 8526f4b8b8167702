import process from 'node:process'
import { Command, InvalidArgumentError } from 'commander'
import { describeMachine } from '../describe-machine.js'
import { parseCount } from '../parse-count.js'
import { ALL_SCENARIOS } from './all-scenarios.js'
import { formatOutcomes } from './report/outcome-table.js'
import { writeReliabilityPage } from './report/reliability-page.js'
import { isSurvived, runScenarios } from './run-scenarios.js'
import type { Scenario } from './scenario.js'

const DEFAULT_KILLS = 20
const KILLS_IN_SELECTION = 5

interface Options {
  only?: string[]
  selection?: boolean
  kills?: number
  seed?: number
  writeReport?: boolean
}

/**
 * Injects faults into the built service: `npm run faults`. Exits with 1 when something acknowledged was lost or the service
 * did not behave as docs/reliability.md says, with 2 when the arguments are invalid.
 */
export async function runFaultsCommand(argv: readonly string[]): Promise<void> {
  const options = createCommand().parse(argv).opts<Options>()
  // Processes and mounts are ended on exit, which a signal alone would skip.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  const kills = options.kills ?? (options.selection ? KILLS_IN_SELECTION : DEFAULT_KILLS)
  const seed = options.seed ?? Date.now() % 1_000_000
  console.error(`Seed ${seed}, ${kills} kills`)
  const startedAt = performance.now()
  const { rows, skipped } = await runScenarios(chooseScenarios(options), { kills, seed })
  const minutes = (performance.now() - startedAt) / 60_000
  console.log(formatOutcomes(rows))
  const survived = rows.filter(isSurvived).length
  const lost = rows.reduce((sum, row) => sum + row.lost, 0)
  console.log(
    `${survived} of ${rows.length} faults survived, ${lost} acknowledged records lost, ${skipped.size} scenarios not run, ${minutes.toFixed(1)} minutes, seed ${seed}`,
  )
  if (options.writeReport) {
    writeReliabilityPage({ rows, machine: describeMachine(), seed, kills, minutes })
  }
  process.exitCode = survived === rows.length ? 0 : 1
}

function chooseScenarios({ only, selection }: Options): readonly Scenario[] {
  if (only) return ALL_SCENARIOS.filter(({ name }) => only.includes(name))
  return selection ? ALL_SCENARIOS.filter(({ isInSelection }) => isInSelection) : ALL_SCENARIOS
}

function createCommand(): Command {
  const names = ALL_SCENARIOS.map(
    ({ name, isInSelection }) => `  ${name}${isInSelection ? ' *' : ''}`,
  )
  return new Command('npm run faults --')
    .description(
      'Injects faults into the service and checks that nothing acknowledged is lost. Linux only.',
    )
    .option('--only <scenario>', 'run this one; may be repeated', collectName)
    .option('--selection', 'run the short selection of CI, marked * below')
    .option('--kills <count>', `kill -9 of the server; default: ${DEFAULT_KILLS}`, parseCount)
    .option('--seed <number>', 'repeat the random moments of an earlier run', parseCount)
    .option('--write-report', 'write the table into docs/reliability.md')
    .addHelpText('after', `\nScenarios:\n${names.join('\n')}`)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
}

function collectName(name: string, before: string[] = []): string[] {
  if (ALL_SCENARIOS.some((scenario) => scenario.name === name)) return [...before, name]
  throw new InvalidArgumentError(
    `Choose from: ${ALL_SCENARIOS.map((scenario) => scenario.name).join(', ')}.`,
  )
}
