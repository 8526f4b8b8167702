import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { openDatabase, type Database } from '../../database/open-database.js'
import type { EventScope } from '../../events/event-scope.js'
import { storeEvents } from '../../events/store-events.js'
import { seededRandom } from '../../core/seeded-random.js'
import { shuffle } from '../statistics/shuffle.js'
import { describeMachine } from '../describe-machine.js'
import type { BenchOptions } from './bench-options.js'
import { createScratchFolder } from './create-scratch-folder.js'
import { compareContents, type ComparedTable } from './events/compare-contents.js'
import {
  createReportedYear,
  insertReportedCalls,
  type ReportedYear,
} from './events/reported-year.js'
import { reportTwice, type Reported } from './events/report-twice.js'
import { DAY_MS, SCOPE } from './events/synthetic-events.js'
import { startNoOpServer, type NoOpServer } from './no-op/start-no-op-server.js'
import { formatTable, publish, type Print, type Report } from './report/publish.js'
import { createScratchDatabase } from './service/scratch-database.js'

const DEFAULTS = { events: 1_000_000, seed: 1, replicas: 2, batch: 1_000 }
/** More would not fit the arrays that hold them. */
const MAX_EVENTS = 5_000_000
const MAX_REPLICAS = 8
/** The most that the API takes at once. */
const MAX_BATCH = 1_000

interface AgreementReport extends Report {
  events: number
  seed: number
  replicas: number
  reported: Reported
  tables: ComparedTable[]
}

/**
 * Sends a year of events twice and in different orders to servers that share a PostgreSQL database, stores the same events in a SQLite
 * database, and compares everything that they leave in both.
 * @throws Error when a table differs
 */
export async function runBenchmark(options: BenchOptions): Promise<void> {
  const settings = {
    events: bounded('events', options.events ?? DEFAULTS.events, MAX_EVENTS),
    seed: options.seed ?? DEFAULTS.seed,
    replicas: bounded('replicas', options.replicas ?? DEFAULTS.replicas, MAX_REPLICAS, 2),
    batch: bounded('batch', options.batch ?? DEFAULTS.batch, MAX_BATCH),
  }
  const postgresServer = process.env.BENCH_POSTGRES_URL
  if (postgresServer === undefined) {
    throw new Error('Set BENCH_POSTGRES_URL to a server on which a database may be created.')
  }
  const compared = await compareAll(createScratchFolder(), postgresServer, settings)
  const { events, seed, replicas } = settings
  const report: AgreementReport = {
    benchmark: 'agreement',
    machine: describeMachine(),
    events,
    seed,
    replicas,
    ...compared,
  }
  publish(report, options, { print: printReport })
  const different = compared.tables.filter(({ difference }) => difference !== undefined)
  if (different.length > 0) {
    throw new Error(`These differ: ${different.map(({ table }) => table).join(', ')}.`)
  }
}

function bounded(name: string, value: number, most: number, least = 1): number {
  if (value >= least && value <= most) return value
  throw new Error(`--${name} must be from ${least} to ${most.toLocaleString('en')}.`)
}

async function compareAll(
  folder: string,
  postgresServer: string,
  { events, seed, replicas, batch }: typeof DEFAULTS,
): Promise<Pick<AgreementReport, 'reported' | 'tables'>> {
  const endsAt = Math.floor(Date.now() / DAY_MS) * DAY_MS
  const year = createReportedYear(events, seed, endsAt)
  const database = await createScratchDatabase(postgresServer)
  const servers: NoOpServer[] = []
  const open: Database[] = []
  try {
    const secret = path.join(folder, 'server-secret')
    writeFileSync(secret, randomBytes(32), { mode: 0o600 })
    const variables = { DATABASE_URL: database.url, SERVER_SECRET_FILE: secret }
    for (let replica = 0; replica < replicas; replica++) {
      const dataDir = path.join(folder, `replica-${replica}`)
      const apiKey = servers[0]?.apiKey
      servers.push(await startNoOpServer({ dataDir, variables, apiKey }, 1))
    }
    const postgres = await openDatabase(folder, { postgres: database.settings })
    open.push(postgres)
    await insertReportedCalls(postgres, await scopeOfServers(postgres), year.calls)
    const reported = await reportTwice(servers, year.events, { batchSize: batch, seed })
    const sqlite = await openDatabase(path.join(folder, 'sqlite'))
    open.push(sqlite)
    await storeOnSqlite(sqlite, year, { batch, seed })
    return { reported, tables: await compareContents(sqlite, postgres) }
  } finally {
    for (const db of open) await db.destroy()
    for (const { close } of servers) await close()
    await database.drop()
  }
}

/** That of the only organisation. */
async function scopeOfServers(db: Database): Promise<EventScope> {
  const { id } = await db.selectFrom('organizations').select('id').executeTakeFirstOrThrow()
  return { organizationId: id, environment: 'live' }
}

/** In the order in which they were created, then all of them again in another one. */
async function storeOnSqlite(
  db: Database,
  { calls, events }: ReportedYear,
  { batch, seed }: { batch: number; seed: number },
): Promise<void> {
  const organization = { id: SCOPE.organizationId, name: 'Synthetic', plan: 'free', created_at: 0 }
  await db.insertInto('organizations').values(organization).execute()
  await insertReportedCalls(db, SCOPE, calls)
  for (const ordered of [events, shuffle(events, seededRandom(seed + 3))]) {
    for (let start = 0; start < ordered.length; start += batch) {
      const records = ordered.slice(start, start + batch)
      await storeEvents(db, { scope: SCOPE, records }, Date.now())
    }
  }
}

function printReport(
  { machine, events, seed, replicas, reported, tables }: AgreementReport,
  print: Print,
): void {
  const count = (value: number) => value.toLocaleString('en')
  print(
    `\n${machine.cpu}, ${machine.cores} cores, Node ${machine.node}; ${count(events)} events, seed ${seed}, twice to ${replicas} servers in ${reported.seconds} s`,
  )
  print(
    `Accepted ${count(reported.accepted)}, duplicates ${count(reported.duplicates)}; ${count(reported.sentAtOnce)} went to two servers at once\n`,
  )
  print(
    formatTable(
      tables.map(({ table, rows, difference }) => ({
        table,
        'rows equal on SQLite and PostgreSQL': rows,
        'first difference': difference ?? 'none',
      })),
    ),
  )
}
