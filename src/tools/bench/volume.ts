import process from 'node:process'
import { openDatabase } from '../../database/open-database.js'
import { roundTo } from '../../text/round-to.js'
import { describeMachine } from '../describe-machine.js'
import type { BenchOptions } from './bench-options.js'
import { createScratchFolder } from './create-scratch-folder.js'
import { compareIngest, type FilledYear, type IngestTimes } from './events/compare-ingest.js'
import { fillYear } from './events/fill-year.js'
import { formatTable, publish, type Print, type Report } from './report/publish.js'
import { createScratchDatabase, type ScratchDatabase } from './service/scratch-database.js'

const SMALL = 1_000_000
const LARGE = 100_000_000
const MAX_EVENTS = 200_000_000
const DEFAULTS = { rounds: 300, seed: 1 }
/** Enough calls for a thousand batches of new events. */
const SPARE_PAIRS = 200_000
const WARM_UP_BATCHES = 100
const MAX_ROUNDS = (SPARE_PAIRS * 5) / 1_000 - WARM_UP_BATCHES

interface VolumeReport extends Report {
  version: string
  years: IngestTimes[]
  p95Ratio: number
}

/**
 * Stores batches of a thousand new events in a database with a million events and in one with a hundred million, taking turns. The events before them
 * are written straight into the tables, which needs a superuser, some 45 GB and an hour.
 */
export async function runBenchmark(options: BenchOptions): Promise<void> {
  const { events = LARGE, rounds = DEFAULTS.rounds, seed = DEFAULTS.seed } = options
  if (events > MAX_EVENTS || events % 5 !== 0) {
    throw new Error(`--events must be a multiple of 5, up to ${MAX_EVENTS.toLocaleString('en')}.`)
  }
  if (rounds > MAX_ROUNDS) throw new Error(`--rounds must be at most ${MAX_ROUNDS}.`)
  const server = process.env.BENCH_POSTGRES_URL
  if (server === undefined) {
    throw new Error('Set BENCH_POSTGRES_URL to a server on which a database may be created.')
  }
  const folder = createScratchFolder()
  const databases: ScratchDatabase[] = []
  const years: FilledYear[] = []
  try {
    for (const count of [SMALL, events]) {
      const database = await createScratchDatabase(server)
      databases.push(database)
      const db = await openDatabase(folder, { postgres: database.settings })
      years.push({ db, events: count, sparePairs: SPARE_PAIRS })
      const onProgress = (table: string) => console.error(`▸ ${count} events: ${table}`)
      await fillYear(db, { events: count, sparePairs: SPARE_PAIRS, onProgress })
    }
    const times = await compareIngest(years, { batches: rounds, warmUp: WARM_UP_BATCHES, seed })
    const report: VolumeReport = {
      benchmark: 'volume',
      machine: describeMachine(),
      version: databases[0]!.version,
      years: times,
      p95Ratio: roundTo(times[1]!.p95Ms / times[0]!.p95Ms, 2),
    }
    publish(report, options, { print: printReport })
  } finally {
    for (const { db } of years) await db.destroy()
    for (const { drop } of databases) await drop()
  }
}

function printReport({ machine, version, years, p95Ratio }: VolumeReport, print: Print): void {
  print(
    `\n${machine.cpu}, ${machine.cores} cores; PostgreSQL ${version}; batches of 1,000 events\n`,
  )
  print(
    formatTable(
      years.map(({ events, databaseBytes, p50Ms, p95Ms, maxMs, walBytes }) => ({
        'events before': events.toLocaleString('en'),
        'database, GB': roundTo(databaseBytes / 1e9, 1),
        'p50 ms': p50Ms,
        'p95 ms': p95Ms,
        'max ms': maxMs,
        'log, MB a batch': roundTo(walBytes / 1e6, 2),
      })),
    ),
  )
  print(`\np95 is ${p95Ratio} times that with ${SMALL.toLocaleString('en')} events`)
}
