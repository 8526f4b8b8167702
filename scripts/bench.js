import process from 'node:process'
import { prepare } from './prepare.js'

/** Runs one benchmark: `npm run bench -- NAME [--json]`. */
const BENCHMARKS = {
  calls: 'Latency of the three calls on a warm server, photos cached',
  overhead: 'What keys, limits, quota and idempotency add to a call that computes nothing',
  events: 'Durable ingest of events, and analytics on up to five million of them',
}

prepare()
const [name = 'calls', ...options] = process.argv.slice(2)
if (!Object.hasOwn(BENCHMARKS, name)) {
  console.error(`There is no benchmark "${name}". There are:`)
  for (const [known, what] of Object.entries(BENCHMARKS))
    console.error(`  ${known.padEnd(10)} ${what}`)
  process.exit(2)
}
const { runBenchmark } = await import(`./bench/${name}.js`)
await runBenchmark({ asJson: options.includes('--json') })
