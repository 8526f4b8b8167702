import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import pg from 'pg'
import { findFreePort } from '../../../bench/service/find-free-port.js'
import type { FaultEnvironment } from '../../environment/fault-environment.js'
import { waitUntil } from '../../environment/wait-until.js'
import { SkippedScenario } from '../../skipped-scenario.js'

const ROOT = '/usr/lib/postgresql'
const READY_LIMIT_MS = 30_000
const USER = 'postgres'

/** `fast` rolls back what runs and writes everything down; `immediate` is a crash, after which the server recovers. */
export type RestartMode = 'fast' | 'immediate'

const STOP_SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const

/**
 * A PostgreSQL server of its own in a folder that is deleted at the end. Apart from the log it has the settings that PostgreSQL
 * comes with, so commits wait for the disk.
 */
export class PostgresServer {
  /** Belongs to the user that PostgreSQL runs as. */
  readonly folder: string
  readonly #bin: string
  readonly #port: number
  #child: ChildProcess | undefined

  private constructor(bin: string, folder: string, port: number) {
    this.#bin = bin
    this.folder = folder
    this.#port = port
  }

  /** @throws SkippedScenario where PostgreSQL is not installed */
  static async start(environment: FaultEnvironment): Promise<PostgresServer> {
    const bin = findPrograms()
    const folder = mkdtempSync(path.join(os.tmpdir(), 'profile-service-postgres-'))
    const user = unprivilegedUser()
    if (user) chownSync(folder, user.uid, user.gid)
    const server = new PostgresServer(bin, folder, await findFreePort())
    environment.onClose(() => server.#close())
    const data = path.join(folder, 'data')
    const options = ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8']
    const init = spawnSync(path.join(bin, 'initdb'), options, { ...server.runOptions })
    if (init.status !== 0) throw new Error(`initdb failed: ${init.stderr.toString()}`)
    await server.#start()
    return server
  }

  /** Runs a program as the user that PostgreSQL runs as, which is never root. */
  get runOptions() {
    return { ...unprivilegedUser(), cwd: this.folder }
  }

  get port(): number {
    return this.#port
  }

  urlOf(database: string): string {
    return `postgres://${USER}@127.0.0.1:${this.#port}/${database}`
  }

  async createDatabase(name: string): Promise<void> {
    await this.query('postgres', `create database ${pg.escapeIdentifier(name)}`)
  }

  /** Runs one statement on a connection of its own. Whole numbers of 64 bits come as text. */
  async query<Row extends pg.QueryResultRow>(database: string, text: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.urlOf(database) })
    // The end of a connection is the failure of its query.
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query<Row>(text)).rows
    } finally {
      await client.end().catch(() => {})
    }
  }

  /**
   * Stops the server and starts it again.
   * @returns milliseconds without it
   */
  async restart(mode: RestartMode): Promise<number> {
    const startedAt = performance.now()
    const ended = once(this.#child!, 'exit')
    this.#child!.kill(STOP_SIGNALS[mode])
    await ended
    await this.#start()
    return performance.now() - startedAt
  }

  /** What the server has logged, with the database of each line. */
  readLog(): string {
    return readFileSync(this.#logFile, 'utf8')
  }

  /** Deadlocks that the server has found in any of its databases, restarts included. */
  countDeadlocks(): number {
    return this.readLog().match(/ERROR: {2}deadlock detected/g)?.length ?? 0
  }

  get #logFile(): string {
    return path.join(this.folder, 'postgres.log')
  }

  async #start(): Promise<void> {
    const log = openSync(this.#logFile, 'a')
    const settings = {
      port: this.#port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: this.folder,
      max_connections: 200,
      log_statement: 'ddl',
      log_line_prefix: '%m [%p] %d ',
    }
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    this.#child = spawn(
      path.join(this.#bin, 'postgres'),
      ['-D', path.join(this.folder, 'data'), ...args],
      { ...this.runOptions, stdio: ['ignore', log, log] },
    )
    const took = await waitUntil(
      () =>
        this.query('postgres', 'select 1').then(
          () => true,
          () => false,
        ),
      READY_LIMIT_MS,
    )
    if (took === undefined) throw new Error(`PostgreSQL did not start:\n${this.readLog()}`)
  }

  #close(): void {
    const data = path.join(this.folder, 'data')
    const args = ['stop', '-D', data, '-m', 'immediate', '-w', '-s']
    spawnSync(path.join(this.#bin, 'pg_ctl'), args, this.runOptions)
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function findPrograms(): string {
  const versions = existsSync(ROOT) ? readdirSync(ROOT) : []
  const bin = versions
    .toSorted((left, right) => Number(right) - Number(left))
    .map((version) => path.join(ROOT, version, 'bin'))
    .find((folder) => existsSync(path.join(folder, 'initdb')))
  if (bin) return bin
  throw new SkippedScenario('PostgreSQL is not installed. On Debian: apt-get install postgresql')
}

/** PostgreSQL and PgBouncer refuse to run as root. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const read = (option: string) =>
    Number(spawnSync('id', [option, USER], { encoding: 'utf8' }).stdout)
  return { uid: read('-u'), gid: read('-g') }
}
