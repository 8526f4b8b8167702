import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { prepare } from './prepare.js'

/** Runs one benchmark: `npm run bench -- NAME [--json] [--save FOLDER] [--rounds N] [--minutes N] [--only CALL]`. */
const BENCHMARKS = {
  calls: 'Latency of the three calls on a warm server, photos cached',
  load: 'The three calls at rising load up to three times what the machine can serve',
  vision: 'Photos a second against bare ONNX Runtime and a Python CLIP server, ViT-B/32',
  language: 'Tokens a second and time to the first one against llama-server',
  overhead: 'What keys, limits, quota and idempotency add to a call that computes nothing',
  portal: 'The pages of the portal with five million events behind them, and what they load',
  events: 'Durable ingest of events, and analytics on up to five million of them',
  growth: 'The database with ten thousand to ten million requests in it',
  soak: 'Memory of each process before, under and after a lasting load',
}

prepare()
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    save: { type: 'string' },
    minutes: { type: 'string' },
    rounds: { type: 'string' },
    only: { type: 'string' },
  },
})
const [name = 'calls'] = positionals
if (!Object.hasOwn(BENCHMARKS, name)) {
  console.error(`There is no benchmark "${name}". There are:`)
  for (const [known, what] of Object.entries(BENCHMARKS))
    console.error(`  ${known.padEnd(10)} ${what}`)
  process.exit(2)
}
// Servers and peers end with the benchmark, whatever ends it.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
const { runBenchmark } = await import(`./bench/${name}.js`)
await runBenchmark({
  asJson: values.json,
  saveTo: values.save === undefined ? undefined : path.resolve(values.save),
  minutes: optionalNumber(values.minutes),
  rounds: optionalNumber(values.rounds),
  only: values.only,
})

function optionalNumber(/** @type {string | undefined} */ text) {
  return text === undefined ? undefined : Number(text)
}
