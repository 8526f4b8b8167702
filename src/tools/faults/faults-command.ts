import process from 'node:process'
import { Command } from 'commander'
import { describeMachine } from '../describe-machine.js'
import { parseCount } from '../parse-count.js'
import { ALL_SCENARIOS } from './all-scenarios.js'
import { REPLICA_SCENARIOS } from './replicas/all-replica-scenarios.js'
import { formatOutcomes } from './report/outcome-table.js'
import { writeReliabilityPage } from './report/reliability-page.js'
import { isSurvived, problemsOf, runScenarios } from './run-scenarios.js'
import type { Scenario } from './scenario.js'

const DEFAULT_KILLS = 20
const KILLS_IN_SELECTION = 5
const DEFAULT_RUNS = 10

interface Options {
  replicas?: boolean
  only?: string[]
  selection?: boolean
  kills?: number
  runs?: number
  seed?: number
  writeReport?: boolean
}

/**
 * Injects faults into the built service: `npm run faults`. Exits with 1 when something acknowledged was lost or the service
 * did not behave as docs/reliability.md says, with 2 when the arguments are invalid.
 */
export async function runFaultsCommand(argv: readonly string[]): Promise<void> {
  const command = createCommand().parse(argv)
  const options = command.opts<Options>()
  const scenarios = chooseScenarios(command, options)
  // Processes and mounts are ended on exit, which a signal alone would skip.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  const { replicas = false, selection: isShort = false } = options
  const kills = options.kills ?? (isShort ? KILLS_IN_SELECTION : DEFAULT_KILLS)
  const runs = options.runs ?? DEFAULT_RUNS
  const seed = options.seed ?? Date.now() % 1_000_000
  console.error(`Seed ${seed}, ${replicas ? `${runs} runs` : `${kills} kills`}`)
  const startedAt = performance.now()
  const { rows, skipped } = await runScenarios(scenarios, { kills, seed, runs, isShort })
  const minutes = (performance.now() - startedAt) / 60_000
  console.log(formatOutcomes(rows))
  const survived = rows.filter(isSurvived).length
  const lost = rows.reduce((sum, row) => sum + row.lost, 0)
  console.log(
    `${survived} of ${rows.length} faults survived, ${lost} acknowledged records lost, ${skipped.size} scenarios not run, ${minutes.toFixed(1)} minutes, seed ${seed}`,
  )
  // At the end of a long log, where one looks first.
  for (const problem of rows.flatMap(problemsOf)) console.log(problem)
  if (options.writeReport) {
    const only = options.only?.map((name) => `--only ${name} `).join('') ?? ''
    const args = replicas
      ? `--replicas ${only}--runs ${runs} --seed ${seed}`
      : `${only}--kills ${kills} --seed ${seed}`
    const table = replicas ? 'replicas' : 'one host'
    writeReliabilityPage(table, { rows, machine: describeMachine(), args, minutes })
  }
  process.exitCode = survived === rows.length ? 0 : 1
}

function chooseScenarios(
  command: Command,
  { replicas, only, selection }: Options,
): readonly Scenario[] {
  const all = replicas ? REPLICA_SCENARIOS : ALL_SCENARIOS
  const unknown = only?.find((name) => !all.some((scenario) => scenario.name === name))
  if (unknown !== undefined) {
    const names = all.map(({ name }) => name).join(', ')
    command.error(`error: There is no scenario '${unknown}'. Choose from: ${names}.`)
  }
  if (only) return all.filter(({ name }) => only.includes(name))
  return selection ? all.filter(({ isInSelection }) => isInSelection) : all
}

function createCommand(): Command {
  return new Command('npm run faults --')
    .description(
      'Injects faults into the service and checks that nothing acknowledged is lost. Linux only.',
    )
    .option(
      '--replicas',
      'replicas on PostgreSQL, behind nginx and PgBouncer, in place of one host with SQLite',
    )
    .option('--only <scenario>', 'run this one; may be repeated', collectName)
    .option('--selection', 'run the short selection of CI, marked * below')
    .option('--kills <count>', `kill -9 of the server; default: ${DEFAULT_KILLS}`, parseCount)
    .option(
      '--runs <count>',
      `with --replicas, repetitions of what depends on chance; default: ${DEFAULT_RUNS}`,
      parseCount,
    )
    .option('--seed <number>', 'repeat the random moments of an earlier run', parseCount)
    .option('--write-report', 'write the table into docs/reliability.md')
    .addHelpText(
      'after',
      `\nScenarios:\n${listNames(ALL_SCENARIOS)}\nWith --replicas:\n${listNames(REPLICA_SCENARIOS)}`,
    )
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
}

function listNames(scenarios: readonly Scenario[]): string {
  return scenarios
    .map(({ name, isInSelection }) => `  ${name}${isInSelection ? ' *' : ''}`)
    .join('\n')
}

function collectName(name: string, before: string[] = []): string[] {
  return [...before, name]
}
