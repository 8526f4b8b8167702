import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { PlansFile } from '../../../../metering/plans-file.js'
import { CAPABILITIES } from '../../../../organizations/capability.js'
import type { FaultEnvironment } from '../../environment/fault-environment.js'
import type { ServiceProcess } from '../../environment/service-process.js'
import { EXECUTIONS_FILE, HOLD_FILE } from './model-files.js'
import type { Pooler } from './pooler.js'
import type { PostgresServer } from './postgres-server.js'

const HOW = {
  program: [path.join(import.meta.dirname, 'replica-server.js')],
  // Six that start at once on two busy cores.
  startLimitMs: 120_000,
}
const FIRST_KEY = 'first-key'

type Limits = PlansFile['plans'][string]['test'][(typeof CAPABILITIES)[number]]

/** Refuses nothing in any scenario. */
export const OPEN_LIMITS: Limits = { included: 1e9, soft_cap: 1e9, requests_per_minute: 100_000 }

export interface FleetOptions {
  count: number
  /** Of every capability. Default: no limits. */
  limits?: Limits
  /** Leads to the database in place of PostgreSQL itself, which only migrations ask then. */
  pooler?: Pooler
  /** Settings of all replicas. */
  env?: Readonly<Record<string, string>>
  /** Settings of one replica by its index. */
  envOf?: (index: number) => Readonly<Record<string, string>>
}

/** Replicas of the built service on an empty database of their own; nothing is started yet. */
export class ReplicaFleet {
  readonly postgres: PostgresServer
  readonly database: string
  readonly replicas: readonly ServiceProcess[]

  private constructor(
    postgres: PostgresServer,
    database: string,
    replicas: readonly ServiceProcess[],
  ) {
    this.postgres = postgres
    this.database = database
    this.replicas = replicas
  }

  static async create(
    environment: FaultEnvironment,
    postgres: PostgresServer,
    { count, limits = OPEN_LIMITS, pooler, env, envOf }: FleetOptions,
  ): Promise<ReplicaFleet> {
    const database = `service_${randomBytes(6).toString('hex')}`
    await postgres.createDatabase(database)
    const folder = path.join(environment.folder, database)
    mkdirSync(folder)
    const shared = {
      DATABASE_URL: (pooler ?? postgres).urlOf(database),
      DATABASE_DIRECT_URL: postgres.urlOf(database),
      DATABASE_POOL: '5',
      SERVER_SECRET_FILE: path.join(folder, 'server-secret'),
      PLANS_FILE: path.join(folder, 'plans.json'),
      TRUST_PROXY: 'loopback',
      EXEMPLARS_DIR: 'none',
      ENV_FILE: '',
      ...env,
    }
    writeFileSync(shared.SERVER_SECRET_FILE, randomBytes(32), { mode: 0o600 })
    writeFileSync(shared.PLANS_FILE, JSON.stringify(plansWith(limits)))
    const replicas: ServiceProcess[] = []
    for (let index = 0; index < count; index++) {
      const dataDir = path.join(folder, `replica-${index}`)
      mkdirSync(dataDir, { mode: 0o700 })
      const own = { ...shared, ...envOf?.(index) }
      replicas.push(await environment.createServiceOn(dataDir, own, HOW))
    }
    return new ReplicaFleet(postgres, database, replicas)
  }

  /** Starts all at the same time, and waits until they are ready. */
  async start(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.start()))
  }

  /** Kills all. */
  async end(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.kill()))
  }

  /** Keys of first organisations that replicas have written into their data folders; one when all is well. */
  firstKeys(): string[] {
    return this.replicas
      .map(({ dataDir }) => path.join(dataDir, FIRST_KEY))
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file, 'utf8').trim())
  }

  get apiKey(): string {
    const [key] = this.firstKeys()
    if (key === undefined) throw new Error('No replica has written a first key.')
    return key
  }

  /** The first row of a query. */
  async queryOne<Row extends Record<string, unknown>>(text: string): Promise<Row> {
    const [row] = await this.postgres.query<Row>(this.database, text)
    return row!
  }

  /** How often the language models were asked, by the mark of the profile. */
  countExecutions(): Map<number, number> {
    const counts = new Map<number, number>()
    for (const { dataDir } of this.replicas) {
      for (const mark of readExecutions(dataDir)) counts.set(mark, (counts.get(mark) ?? 0) + 1)
    }
    return counts
  }
}

/** Marks of the profiles that the language model of a replica was asked about, in order. */
export function readExecutions(dataDir: string): number[] {
  const file = path.join(dataDir, EXECUTIONS_FILE)
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8').trim().split('\n').map(Number)
}

/** Lets the language model of a replica not answer from now on, or answer again. */
export function setHeld({ dataDir }: ServiceProcess, isHeld: boolean): void {
  const file = path.join(dataDir, HOLD_FILE)
  if (isHeld) writeFileSync(file, '')
  else rmSync(file, { force: true })
}

/** The first organisation is on the only plan. */
function plansWith(limits: Limits): object {
  const all = Object.fromEntries(CAPABILITIES.map((capability) => [capability, limits]))
  return { plans: { faults: { test: all, live: all } } }
}
