import type { Log } from '../../telemetry/log.js'
import { createBackOff, type BackOffOptions } from './back-off.js'
import { describeExit, type WorkerExit } from './fork-worker.js'
import { describeIsolation } from './isolation/worker-isolation.js'
import type { MethodTable, WorkerInfo, WorkerRole } from './protocol.js'
import { startWorker, WorkerStartError, type StartWorkerOptions } from './start-worker.js'
import type { WorkerProcess } from './worker-process.js'

/**
 * - `unloaded`: no process; the next call starts one
 * - `starting`: no process serves, one is loading its models; calls wait
 * - `ready`: serves
 * - `swapping`: serves while its successor loads
 * - `restarting`: crashed repeatedly and waits before it starts again; calls wait
 * - `failed`: the models could not be loaded; waits before the next try, calls are refused
 * - `closed`: permanently
 */
export type ModelState =
  'unloaded' | 'starting' | 'ready' | 'swapping' | 'restarting' | 'failed' | 'closed'

/** Lifecycle event of a worker; a metric label. */
export type WorkerEvent =
  | 'started'
  | 'load_failed'
  | 'crashed'
  | 'hung'
  | 'unloaded'
  | 'swapped'
  | 'swap_failed'
  | 'outgrown'

export interface WorkerSupervisorOptions {
  role: WorkerRole
  /** Read at every start and swap; an error counts as a failed load. */
  settings: () => Promise<unknown>
  worker: Omit<StartWorkerOptions, 'log' | 'signal'>
  backOff?: BackOffOptions | undefined
  log: Log
  /** Called after the state has changed, before calls in flight fail. */
  onEvent: (event: WorkerEvent) => void
}

interface Retry {
  state: 'restarting' | 'failed'
  at: number
  timer: NodeJS.Timeout
}

/**
 * Keeps one worker serving. At most one process serves (`current`) and at most one is loading (`attempt`). A successful attempt becomes
 * the current process and retires the previous one.
 */
export class WorkerSupervisor<M extends MethodTable> {
  readonly #options: WorkerSupervisorOptions
  readonly #delayAfter: ReturnType<typeof createBackOff>
  readonly #closing = new AbortController()
  readonly #retiring = new Set<WorkerProcess<M>>()
  #current: WorkerProcess<M> | undefined
  #info: WorkerInfo | undefined
  #servingSince = 0
  #loadMs = 0
  #attempt: Promise<void> | undefined
  #retry: Retry | undefined
  #problem: string | undefined
  #swap: Promise<void> | undefined
  #nextSwap: Promise<void> | undefined

  constructor(options: WorkerSupervisorOptions) {
    this.#options = options
    this.#delayAfter = createBackOff(options.backOff)
  }

  get current(): WorkerProcess<M> | undefined {
    return this.#current
  }

  /** Information from the last ready worker. */
  get info(): WorkerInfo | undefined {
    return this.#info
  }

  get state(): ModelState {
    if (this.#closing.signal.aborted) return 'closed'
    if (this.#current) return this.#attempt ? 'swapping' : 'ready'
    if (this.#attempt) return 'starting'
    return this.#retry?.state ?? 'unloaded'
  }

  /** Why no worker serves: the last failure, for the operator. */
  get problem(): string | undefined {
    return this.#current ? undefined : this.#problem
  }

  /** Expected time of the next ready worker, in milliseconds since the epoch, from earlier loads. */
  get expectedAt(): number {
    return (this.#retry?.at ?? Date.now()) + this.#loadMs
  }

  /** Resolves when a worker serves; rejects when the attempt fails, while retries continue. */
  async start(): Promise<void> {
    if (!this.#current) await this.#tryStart()
  }

  /** Replaces the worker by one with freshly read settings. Requests made during a swap share one swap after it. */
  swap(): Promise<void> {
    if (this.#swap) {
      this.#nextSwap ??= settled(this.#swap).then(() => {
        this.#nextSwap = undefined
        return this.swap()
      })
      return this.#nextSwap
    }
    this.#swap = this.#swapOnce().finally(() => (this.#swap = undefined))
    return this.#swap
  }

  /** Ends the worker until `start`. Does nothing during a swap. */
  unload(): void {
    if (this.state !== 'ready') return
    const worker = this.#takeCurrent()
    this.#options.log.info('An idle model worker was unloaded', { role: this.#options.role })
    this.#options.onEvent('unloaded')
    if (worker) void this.#retire(worker)
  }

  /** Ends every process; calls in flight have `limitMs` to end. */
  async close(limitMs: number): Promise<void> {
    this.#closing.abort()
    clearTimeout(this.#retry?.timer)
    const worker = this.#takeCurrent()
    if (worker) void this.#retire(worker)
    const ends = [...this.#retiring].map((retiring) => retiring.drain(limitMs))
    await Promise.all([settled(this.#attempt), ...ends])
  }

  async #swapOnce(): Promise<void> {
    // The running attempt read its settings before this request.
    while (this.#attempt) await settled(this.#attempt)
    await this.#tryStart()
  }

  #tryStart(): Promise<void> {
    clearTimeout(this.#retry?.timer)
    this.#retry = undefined
    this.#attempt ??= this.#launch()
    return this.#attempt
  }

  async #launch(): Promise<void> {
    const startedAt = performance.now()
    try {
      const worker = await this.#load()
      this.#loadMs = performance.now() - startedAt
      this.#attempt = undefined
      this.#promote(worker)
    } catch (error) {
      this.#attempt = undefined
      this.#failedToStart(error)
      throw error
    }
  }

  async #load(): Promise<WorkerProcess<M>> {
    const { role, settings, worker, log } = this.#options
    const { signal } = this.#closing
    const started = await startWorker<M>(role, await settings(), { ...worker, log, signal })
    if (!signal.aborted) return started
    started.kill()
    await started.exited
    throw new WorkerStartError('The start was aborted.')
  }

  #promote(worker: WorkerProcess<M>): void {
    const { role, log, onEvent } = this.#options
    const { device, threads, packs, isolation } = worker.info
    const predecessor = this.#takeCurrent()
    this.#current = worker
    this.#info = worker.info
    this.#servingSince = performance.now()
    this.#problem = undefined
    void worker.exited.then((exit) => this.#ended(worker, exit))
    log.info('A model worker is ready', {
      role,
      pid: worker.pid,
      pack: packs.join(', '),
      device,
      threads,
      isolation: describeIsolation(isolation),
      duration_ms: Math.round(this.#loadMs),
    })
    onEvent(predecessor ? 'swapped' : 'started')
    if (predecessor) void this.#retire(predecessor)
  }

  #failedToStart(error: unknown): void {
    if (this.#closing.signal.aborted) return
    const { role, log, onEvent } = this.#options
    const reason = error instanceof Error ? error.message : 'unknown'
    if (this.#current) {
      log.error('A model worker could not be replaced; the old one keeps serving', { role, reason })
      return onEvent('swap_failed')
    }
    const delayMs = this.#delayAfter({ kind: 'load_failure' })
    this.#problem = `could not load: ${reason}`
    log.error('A model worker could not load', { role, reason, retry_in_ms: delayMs })
    this.#retryIn(delayMs, 'failed')
    onEvent('load_failed')
  }

  #ended(worker: WorkerProcess<M>, exit: WorkerExit): void {
    if (worker !== this.#current) return
    const { role, log, onEvent } = this.#options
    const { code, signal } = exit
    const { hangReason } = worker
    const reason = hangReason === undefined ? describeExit(exit) : `killed, since ${hangReason}`
    this.#problem = `ended: ${reason}`
    const servedMs = performance.now() - this.#servingSince
    this.#current = undefined
    // A successor that is loading already takes over.
    const delayMs = this.#attempt ? 0 : this.#delayAfter({ kind: 'crash', servedMs })
    log.error('A model worker ended unexpectedly', {
      role,
      pid: worker.pid,
      exit_code: code ?? undefined,
      signal: signal ?? undefined,
      reason,
      retry_in_ms: delayMs,
    })
    if (delayMs > 0) this.#retryIn(delayMs, 'restarting')
    else if (!this.#attempt) void settled(this.#tryStart())
    onEvent(hangReason === undefined ? 'crashed' : 'hung')
  }

  #retryIn(delayMs: number, state: Retry['state']): void {
    const timer = setTimeout(() => void settled(this.#tryStart()), delayMs)
    this.#retry = { state, at: Date.now() + delayMs, timer }
  }

  async #retire(worker: WorkerProcess<M>): Promise<void> {
    this.#retiring.add(worker)
    const { code, signal } = await worker.drain()
    this.#retiring.delete(worker)
    this.#options.log.debug('A retired model worker has ended', {
      role: this.#options.role,
      pid: worker.pid,
      exit_code: code ?? undefined,
      signal: signal ?? undefined,
    })
  }

  #takeCurrent(): WorkerProcess<M> | undefined {
    const worker = this.#current
    this.#current = undefined
    return worker
  }
}

/** Resolves when the promise is settled. */
async function settled(promise: Promise<unknown> | undefined): Promise<void> {
  await Promise.allSettled([promise])
}
