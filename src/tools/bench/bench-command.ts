import path from 'node:path'
import process from 'node:process'
import { Argument, Command, Option } from 'commander'
import { parseCount } from '../parse-count.js'
import type { BenchOptions } from './bench-options.js'
import { ATTACK_NAMES } from './fairness/attack-names.js'

type SpecificOption =
  | 'rounds'
  | 'minutes'
  | 'seconds'
  | 'only'
  | 'profile'
  | 'events'
  | 'seed'
  | 'replicas'
  | 'batch'
  | 'database'

interface Benchmark {
  about: string
  /** Options that it takes besides those of all benchmarks. */
  options?: readonly SpecificOption[]
  /** What `--only` selects from, for benchmarks that take it. */
  parts?: readonly string[]
  /** Imports it on demand: some load native modules, which would disturb the others. */
  load: () => Promise<{ runBenchmark: (options: BenchOptions) => Promise<void> }>
}

const BENCHMARKS: Record<string, Benchmark> = {
  calls: {
    about: 'Latency of the three calls on a warm server, one after the other',
    options: ['rounds', 'profile'],
    load: () => import('./calls.js'),
  },
  load: {
    about: 'The three calls at rising load up to three times what the machine can serve',
    options: ['rounds', 'only', 'profile'],
    parts: ['match', 'preferences', 'openers'],
    load: () => import('./load.js'),
  },
  vision: {
    about: 'Photos a second against bare ONNX Runtime and a Python CLIP server, ViT-B/32',
    options: ['rounds'],
    load: () => import('./vision.js'),
  },
  language: {
    about: 'Tokens a second and time to the first one against llama-server',
    options: ['rounds'],
    load: () => import('./language.js'),
  },
  engines: {
    about: 'llama-server behind LANGUAGE_URL: texts, speed, clients that leave, a killed engine',
    options: ['rounds', 'only'],
    parts: ['texts', 'speed', 'leaving', 'failure'],
    load: () => import('./engines.js'),
  },
  overhead: {
    about: 'What keys, limits, quota and idempotency add to a call that computes nothing',
    options: ['database', 'replicas'],
    load: () => import('./overhead.js'),
  },
  portal: {
    about: 'The pages of the portal with five million events behind them, and what they load',
    load: () => import('./portal.js'),
  },
  events: {
    about: 'Durable ingest of events, and analytics on up to five million of them',
    load: () => import('./events.js'),
  },
  scale: {
    about: '300,000 events twice on SQLite and on PostgreSQL, and the reports on them',
    load: () => import('./scale.js'),
  },
  agreement: {
    about: 'A million events twice to two servers on PostgreSQL, and their tables against SQLite',
    options: ['events', 'seed', 'replicas', 'batch'],
    load: () => import('./agreement.js'),
  },
  volume: {
    about: 'Storing events with a million and with many million in PostgreSQL',
    options: ['events', 'seed', 'rounds'],
    load: () => import('./volume.js'),
  },
  learning: {
    about: 'Learning from up to ten million openers, and what it adds to a call',
    load: () => import('./learning.js'),
  },
  growth: {
    about: 'The database with ten thousand to ten million requests in it',
    load: () => import('./growth.js'),
  },
  soak: {
    about: 'Memory of each process before, under and after a lasting load',
    options: ['minutes'],
    load: () => import('./soak.js'),
  },
  fairness: {
    about: 'What one organisation notices while another attacks, by thirteen means',
    options: ['rounds', 'seconds', 'only'],
    parts: ATTACK_NAMES,
    load: () => import('./fairness.js'),
  },
}

/** Options as commander parses them. */
interface ParsedOptions extends Pick<BenchOptions, SpecificOption> {
  json?: boolean
  save?: string
}

/**
 * Runs one benchmark: `npm run bench -- NAME`. Exits with status 2 when the arguments are invalid.
 * @param callerFolder - folder that paths in options are relative to
 */
export async function runBenchCommand(
  argv: readonly string[],
  callerFolder: string,
): Promise<void> {
  const command = createCommand(callerFolder).parse(argv)
  const [name] = command.processedArgs as [string]
  const { json = false, save, ...specific } = command.opts<ParsedOptions>()
  const benchmark = BENCHMARKS[name]!
  const allowed: readonly string[] = benchmark.options ?? []
  for (const option of Object.keys(specific)) {
    if (allowed.includes(option)) continue
    command.error(`error: the benchmark '${name}' has no option '--${option}'`)
  }
  const { parts = [] } = benchmark
  const unknown = specific.only?.find((part) => !parts.includes(part))
  if (unknown !== undefined) {
    command.error(`error: '${unknown}' is no part of '${name}'. Choose from: ${parts.join(', ')}`)
  }
  // Child processes are killed on exit, which a signal alone would skip.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  const { runBenchmark } = await benchmark.load()
  await runBenchmark({ asJson: json, saveTo: save, ...specific })
}

function createCommand(callerFolder: string): Command {
  return new Command('npm run bench --')
    .description('Measures how fast the service is.')
    .addArgument(
      new Argument('[benchmark]', 'one of those below')
        .choices(Object.keys(BENCHMARKS))
        .default('calls'),
    )
    .option('--json', 'print the whole report as JSON instead of tables')
    .option('--save <folder>', 'keep report, tables and plots there', (value) =>
      path.resolve(callerFolder, value),
    )
    .option('--rounds <count>', `repetitions, of ${listTakers('rounds')}`, parseCount)
    .option('--minutes <count>', `of load, of ${listTakers('minutes')}`, parseCount)
    .option('--seconds <count>', `of a phase, of ${listTakers('seconds')}`, parseCount)
    .addOption(
      new Option(
        '--only <part>',
        `one call or attack, of ${listTakers('only')}; repeatable`,
      ).argParser((part: string, others: readonly string[] | undefined) => [
        ...(others ?? []),
        part,
      ]),
    )
    .option('--events <count>', `of the year, of ${listTakers('events')}`, parseCount)
    .option('--seed <number>', `of what is random, of ${listTakers('seed')}`, parseCount)
    .option('--replicas <count>', `of the server, of ${listTakers('replicas')}`, parseCount)
    .option('--batch <count>', `of events at once, of ${listTakers('batch')}`, parseCount)
    .addOption(
      new Option('--database <kind>', `beside SQLite, of ${listTakers('database')}`).choices([
        'postgres',
      ]),
    )
    .option('--profile', `where the server process is busy, of ${listTakers('profile')}`)
    .addHelpText('after', `\nBenchmarks:\n${describeBenchmarks()}`)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
}

/** Names of the benchmarks that take an option. */
function listTakers(option: SpecificOption): string {
  const takers = Object.entries(BENCHMARKS).filter(([, { options }]) => options?.includes(option))
  return takers.map(([name]) => name).join(', ')
}

function describeBenchmarks(): string {
  return Object.entries(BENCHMARKS)
    .map(([name, { about }]) => `  ${name.padEnd(10)} ${about}`)
    .join('\n')
}
