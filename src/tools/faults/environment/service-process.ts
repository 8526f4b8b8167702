import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { findProcesses, type ServiceRole } from '../../bench/service/service-processes.js'
import { PROJECT_FOLDER } from '../../project-folder.js'
import { runProgram, startProgram, type ProgramResult, type RunningProgram } from './run-program.js'
import { ServiceLog } from './service-log.js'
import { waitUntil } from './wait-until.js'

const MAIN = path.join(PROJECT_FOLDER, 'dist', 'main.js')
const READY_LIMIT_MS = 60_000
const REFUSAL_LIMIT_MS = 20_000
const PROBE_TIMEOUT_MS = 40_000

export interface ServiceProcessOptions {
  dataDir: string
  port: number
  metricsPort: number
  env?: Readonly<Record<string, string>>
  /** Module and arguments for Node. Default: the service itself. */
  program?: readonly string[]
  /** Until a start has listened or ended; default: 20 s. */
  startLimitMs?: number
}

/** How a start ended: `listening`, or the exit code with the message for the operator. */
export type StartOutcome = 'listening' | ProgramResult

/** The built service, started and ended as often as a scenario wants, always on the same port and data folder. */
export class ServiceProcess {
  readonly dataDir: string
  readonly port: number
  readonly baseUrl: string
  log = new ServiceLog()
  readonly #options: ServiceProcessOptions
  #child: ChildProcess | undefined
  #exited: Promise<unknown> = Promise.resolve()

  constructor(options: ServiceProcessOptions) {
    this.#options = options
    this.dataDir = options.dataDir
    this.port = options.port
    this.baseUrl = `http://127.0.0.1:${options.port}`
  }

  /** The first key, for a test environment without limits. */
  get apiKey(): string {
    return readFileSync(path.join(this.dataDir, 'first-key'), 'utf8').trim()
  }

  get pid(): number {
    return this.#child!.pid!
  }

  get isRunning(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null
  }

  /** Process id of the server or of a worker; NaN while that worker does not run. */
  pidOf(role: ServiceRole): number {
    return findProcesses(this.pid)[role]
  }

  /**
   * Starts it and waits until it answers.
   * @param until - `ready`: the models are loaded too
   * @throws when it ends instead
   */
  async start(until: 'alive' | 'ready' = 'ready'): Promise<void> {
    const outcome = await this.tryStart()
    if (outcome !== 'listening') throw new Error(`The service did not start: ${outcome.output}`)
    if (until === 'alive') return
    const took = await this.waitUntilReady(READY_LIMIT_MS)
    if (took === undefined) throw new Error('The service did not get ready.')
  }

  /** Starts it, and waits until it answers or has ended. */
  async tryStart(env: Readonly<Record<string, string>> = {}): Promise<StartOutcome> {
    this.spawn(env)
    let isAlive = false
    await waitUntil(async () => {
      isAlive = await this.#isAlive()
      return isAlive || !this.isRunning
    }, this.#options.startLimitMs ?? REFUSAL_LIMIT_MS)
    if (isAlive && this.isRunning) return 'listening'
    return this.waitForExit()
  }

  /** Waits for the end of a start that is expected to fail; kills it after 20 s. */
  async waitForExit(): Promise<ProgramResult> {
    await waitUntil(() => !this.isRunning, REFUSAL_LIMIT_MS)
    if (this.isRunning) this.signal('SIGKILL')
    await this.#exited
    const code = this.#child?.exitCode ?? null
    return { code, output: this.log.text(), stdout: '' }
  }

  /** Starts it without waiting for anything. */
  spawn(env: Readonly<Record<string, string>> = {}): void {
    this.log = new ServiceLog()
    const { program = [MAIN, 'serve'] } = this.#options
    const child = spawn(process.execPath, program, {
      cwd: PROJECT_FOLDER,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...this.#environment(), ...env },
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', this.log.add)
    }
    this.#child = child
    this.#exited = once(child, 'close')
  }

  async #isAlive(): Promise<boolean> {
    return (await this.probe('/healthz')) === 200
  }

  /** Status of `/readyz`; 0 when nothing answers. */
  readiness(): Promise<number> {
    return this.probe('/readyz')
  }

  /** Waits until `/readyz` is 200. Returns how long it took in milliseconds; undefined when it was not within the limit. */
  waitUntilReady(limitMs: number): Promise<number | undefined> {
    return waitUntil(async () => (await this.readiness()) === 200, limitMs)
  }

  /** Status of a GET; 0 when nothing answers. */
  async probe(route: string): Promise<number> {
    try {
      const response = await this.get(route)
      await response.arrayBuffer()
      return response.status
    } catch {
      return 0
    }
  }

  get(route: string): Promise<Response> {
    return fetch(this.baseUrl + route, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
  }

  /** Metrics in the Prometheus text format. */
  async readMetrics(): Promise<string> {
    return (await fetch(`http://127.0.0.1:${this.#options.metricsPort}/metrics`)).text()
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }

  /** `kill -9`, and waits for the end of the server; its workers end by themselves. */
  async kill(): Promise<void> {
    this.signal('SIGKILL')
    await this.#exited
  }

  /** SIGTERM. Returns how long it took in milliseconds; undefined when it did not end within the limit. */
  async stop(limitMs = 60_000): Promise<number | undefined> {
    this.signal('SIGTERM')
    return waitUntil(() => !this.isRunning, limitMs)
  }

  /** Runs a command of the operator on the same data folder. */
  admin(...args: string[]): Promise<ProgramResult> {
    return this.startAdmin(args).result
  }

  /** Starts a command of the operator, which the caller may kill. */
  startAdmin(args: readonly string[], env: Readonly<Record<string, string>> = {}): RunningProgram {
    const options = { cwd: PROJECT_FOLDER, env: { ...this.#environment(), ...env } }
    return startProgram(process.execPath, [MAIN, 'admin', ...args], options)
  }

  /** What doctor finds wrong, one text for each failed check. */
  async diagnose(): Promise<string[]> {
    const { stdout, output } = await runProgram(
      process.execPath,
      [MAIN, 'admin', 'doctor', '--skip-loading', '--json'],
      { cwd: PROJECT_FOLDER, env: this.#environment() },
    )
    if (!stdout.startsWith('[')) return [`doctor: ${output.trim()}`]
    const reports = JSON.parse(stdout) as DoctorReport[]
    return reports
      .filter(({ status }) => status === 'failed')
      .map(({ check, found, mend }) => `${check}: ${found} → ${mend}`)
  }

  #environment(): NodeJS.ProcessEnv {
    const { dataDir, port, metricsPort, env } = this.#options
    return {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      LOG_FORMAT: 'json',
      MODELS_OFFLINE: 'true',
      ...env,
    }
  }

  /** Whether the data folder has a file. */
  has(file: string): boolean {
    return existsSync(path.join(this.dataDir, file))
  }
}

interface DoctorReport {
  check: string
  status: 'ok' | 'warning' | 'failed'
  found: string
  mend?: string
}
