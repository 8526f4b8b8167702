import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { roundTo } from '../../../text/round-to.js'
import { median, quantile } from '../../statistics/quantile.js'
import { startNoOpServer, type NoOpServer } from '../no-op/start-no-op-server.js'
import { createScratchDatabase } from '../service/scratch-database.js'

const PAIRS = 2_000
const WARM_UP_CALLS = 300
const CLIENTS = 32
const SECONDS = 5
const ROUNDS = 5

interface Latency {
  p50Ms: number
  p99Ms: number
}

interface Throughput {
  servers: number
  /** Of each round. */
  callsPerSecond: number[]
  p50Ms: number
  p99Ms: number
  /** Processor time of the servers for a call. */
  cpuMicroseconds: number
}

export interface DatabaseOverhead {
  version: string
  sqlite: Latency
  postgres: Latency
  /** Median of what a call takes on PostgreSQL minus what the one beside it takes on SQLite. */
  pairedDifferenceMs: number
  /** Bytes that a call writes to the write-ahead log of PostgreSQL, those of checkpoints included. */
  walBytes: number
  throughput: Record<'sqlite' | 'postgres', Throughput>
}

/**
 * Compares the metered call that computes nothing on both databases, over HTTP: one call at a time, first on one server then on
 * the other; then calls of one organisation at full speed, on one server with SQLite and on several with PostgreSQL. Everything runs on
 * this machine.
 * @param server - `postgres:` URL on which a database may be created
 */
export async function measureDatabases(
  folder: string,
  server: string,
  replicas: number,
): Promise<DatabaseOverhead> {
  const database = await createScratchDatabase(server)
  const servers: NoOpServer[] = []
  const start = async (
    name: string,
    settings: { variables?: Record<string, string>; apiKey?: string } = {},
  ) => {
    const started = await startNoOpServer(
      { dataDir: path.join(folder, name), ...settings },
      CLIENTS,
    )
    servers.push(started)
    return started
  }
  try {
    const sqlite = await start('sqlite')
    const variables = {
      DATABASE_URL: database.url,
      SERVER_SECRET_FILE: writeSecret(folder),
    }
    const first = await start('replica-0', { variables })
    const postgres = [first]
    for (let i = 1; i < replicas; i++) {
      postgres.push(await start(`replica-${i}`, { variables, apiKey: first.apiKey }))
    }
    const latency = await measurePairs(sqlite, first)
    const throughput = {
      sqlite: new ThroughputRounds([sqlite]),
      postgres: new ThroughputRounds(postgres),
    }
    const walBefore = await readWal(database.url)
    for (let round = 0; round < ROUNDS; round++) {
      await throughput.sqlite.run()
      await throughput.postgres.run()
    }
    const wal = (await readWal(database.url)) - walBefore
    return {
      version: database.version,
      ...latency,
      walBytes: Math.round(wal / throughput.postgres.calls),
      throughput: {
        sqlite: throughput.sqlite.summarize(),
        postgres: throughput.postgres.summarize(),
      },
    }
  } finally {
    for (const { close } of servers) await close()
    await database.drop()
  }
}

function writeSecret(folder: string): string {
  const file = path.join(folder, 'server-secret')
  writeFileSync(file, randomBytes(32), { mode: 0o600 })
  return file
}

async function measurePairs(
  sqlite: NoOpServer,
  postgres: NoOpServer,
): Promise<Pick<DatabaseOverhead, 'sqlite' | 'postgres' | 'pairedDifferenceMs'>> {
  for (let call = 0; call < WARM_UP_CALLS; call++) {
    await sqlite.send('/metered')
    await postgres.send('/metered')
  }
  const times = { sqlite: [] as number[], postgres: [] as number[] }
  for (let pair = 0; pair < PAIRS; pair++) {
    // Each is first half of the time, so that neither always follows the other.
    if (pair % 2 === 0) times.sqlite.push(await sqlite.send('/metered'))
    times.postgres.push(await postgres.send('/metered'))
    if (pair % 2 === 1) times.sqlite.push(await sqlite.send('/metered'))
  }
  const differences = times.postgres.map((time, pair) => time - times.sqlite[pair]!)
  return {
    sqlite: latencyOf(times.sqlite),
    postgres: latencyOf(times.postgres),
    pairedDifferenceMs: roundTo(median(differences), 2),
  }
}

function latencyOf(times: readonly number[]): Latency {
  return { p50Ms: roundTo(median(times), 2), p99Ms: roundTo(quantile(times, 0.99), 2) }
}

/** Keeps servers busy with as many clients as `CLIENTS`, which share them evenly. */
class ThroughputRounds {
  readonly #servers: readonly NoOpServer[]
  readonly #callsPerSecond: number[] = []
  readonly #times: number[] = []
  #cpu = 0

  constructor(servers: readonly NoOpServer[]) {
    this.#servers = servers
  }

  get calls(): number {
    return this.#times.length
  }

  async run(): Promise<void> {
    const before = await this.#readCpu()
    const startedAt = performance.now()
    const times: number[] = []
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, client) => {
        const { send } = this.#servers[client % this.#servers.length]!
        while (performance.now() < startedAt + SECONDS * 1_000) times.push(await send('/metered'))
      }),
    )
    this.#callsPerSecond.push(Math.round((times.length * 1_000) / (performance.now() - startedAt)))
    this.#cpu += (await this.#readCpu()) - before
    this.#times.push(...times)
  }

  summarize(): Throughput {
    return {
      servers: this.#servers.length,
      callsPerSecond: this.#callsPerSecond,
      ...latencyOf(this.#times),
      cpuMicroseconds: Math.round(this.#cpu / this.calls),
    }
  }

  async #readCpu(): Promise<number> {
    let sum = 0
    for (const { readCpu } of this.#servers) sum += await readCpu()
    return sum
  }
}

/** Bytes that the server has written to its log so far. */
async function readWal(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ bytes: string }>(
      `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes`,
    )
    return Number(rows[0]!.bytes)
  } finally {
    await client.end()
  }
}
