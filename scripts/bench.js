import path from 'node:path'
import process from 'node:process'
import { prepare } from './prepare.js'

/** Runs one benchmark: `npm run bench -- NAME`; docs/performance.md explains them, `--help` lists the options. */

/** @type {Record<string, { about: string, options?: readonly string[] }>} */
const BENCHMARKS = {
  calls: {
    about: 'Latency of the three calls on a warm server, one after the other',
    options: ['rounds', 'profile'],
  },
  load: {
    about: 'The three calls at rising load up to three times what the machine can serve',
    options: ['rounds', 'only', 'profile'],
  },
  vision: {
    about: 'Photos a second against bare ONNX Runtime and a Python CLIP server, ViT-B/32',
    options: ['rounds'],
  },
  language: {
    about: 'Tokens a second and time to the first one against llama-server',
    options: ['rounds'],
  },
  overhead: {
    about: 'What keys, limits, quota and idempotency add to a call that computes nothing',
  },
  portal: {
    about: 'The pages of the portal with five million events behind them, and what they load',
  },
  events: { about: 'Durable ingest of events, and analytics on up to five million of them' },
  growth: { about: 'The database with ten thousand to ten million requests in it' },
  soak: {
    about: 'Memory of each process before, under and after a lasting load',
    options: ['minutes'],
  },
}
const CALLS = ['match', 'preferences', 'openers']

const from = process.cwd()
prepare()
const { Argument, Command, Option } = await import('commander')
const { parseCount } = await import('./parse-count.js')

const command = new Command('npm run bench --')
  .description('Measures how fast the service is.')
  .addArgument(
    new Argument('[benchmark]', 'one of those below')
      .choices(Object.keys(BENCHMARKS))
      .default('calls'),
  )
  .option('--json', 'print the whole report as JSON instead of tables')
  .option('--save <folder>', 'keep report, tables and plots there', (value) =>
    path.resolve(from, value),
  )
  .option('--rounds <count>', `repetitions, of ${listBy('rounds')}`, parseCount)
  .option('--minutes <count>', `of load, of ${listBy('minutes')}`, parseCount)
  .addOption(new Option('--only <call>', `one call, of ${listBy('only')}`).choices(CALLS))
  .option('--profile', `where the server process is busy, of ${listBy('profile')}`)
  .addHelpText('after', `\nBenchmarks:\n${describeBenchmarks()}`)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse()
const [name] = command.processedArgs
const { json = false, save, ...own } = command.opts()
for (const option of Object.keys(own)) {
  if (BENCHMARKS[name].options?.includes(option)) continue
  command.error(`error: the benchmark '${name}' has no option '--${option}'`)
}
// Servers and peers end with the benchmark, whatever ends it.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
const { runBenchmark } = await import(`./bench/${name}.js`)
await runBenchmark({ asJson: json, saveTo: save, ...own })

function listBy(/** @type {string} */ option) {
  const names = Object.keys(BENCHMARKS)
  return names.filter((name) => BENCHMARKS[name].options?.includes(option)).join(', ')
}

function describeBenchmarks() {
  return Object.entries(BENCHMARKS)
    .map(([benchmark, { about }]) => `  ${benchmark.padEnd(10)} ${about}`)
    .join('\n')
}
