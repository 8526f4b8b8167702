import type { ChildProcess } from 'node:child_process'
import type { ForkedWorker, WorkerExit } from './fork-worker.js'
import type {
  FromWorker,
  MethodTable,
  ToWorker,
  WorkerFailureReason,
  WorkerInfo,
} from './protocol.js'
import { watchLiveness, type LivenessWatch } from './watch-liveness.js'

/** A worker did not serve a call; `exited` when its process ended before the answer. */
export class WorkerCallError extends Error {
  override readonly name = 'WorkerCallError'
  readonly reason: WorkerFailureReason | 'exited'

  constructor(reason: WorkerFailureReason | 'exited', message: string) {
    super(message)
    this.reason = reason
  }
}

export interface WorkerTimes {
  /** Time to react to an abort or a shutdown before the worker is killed. */
  graceMs: number
  /** Time between checks whether it is alive; see `watchLiveness`. */
  checkMs?: number | undefined
}

interface PendingCall {
  resolve: (result: unknown) => void
  reject: (error: WorkerCallError) => void
}

/** A worker process whose models are loaded. */
export class WorkerProcess<M extends MethodTable> {
  readonly info: WorkerInfo
  readonly pid: number
  /** Resolves when the process has ended, before its calls fail; never rejects. */
  readonly exited: Promise<WorkerExit>
  readonly #child: ChildProcess
  readonly #graceMs: number
  readonly #calls = new Map<number, PendingCall>()
  #lastId = 0
  readonly #liveness: LivenessWatch
  #hangReason: string | undefined
  #ended = false
  #onIdle: (() => void) | undefined
  #drained: Promise<WorkerExit> | undefined

  constructor(
    { child, exited }: ForkedWorker,
    info: WorkerInfo,
    { graceMs, checkMs }: WorkerTimes,
  ) {
    this.info = info
    this.pid = child.pid ?? 0
    this.#child = child
    this.#graceMs = graceMs
    child.on('message', (message: FromWorker) => this.#receive(message))
    this.exited = exited
    this.#liveness = watchLiveness({
      pid: this.pid,
      ping: () => this.#send({ type: 'ping' }),
      // A GPU computes while the processor waits.
      isBusy: () => info.device === 'cpu' && this.#calls.size > 0,
      onHung: (reason) => this.#endHung(reason),
      intervalMs: checkMs,
    })
    void exited.then(() => this.#liveness.stop())
    // One turn later, so that the router has stopped sending calls here before a failure makes room for the next.
    void exited.then(() => setImmediate(() => this.#failAll()))
  }

  /** Why the worker was killed as hung, for the operator; undefined unless it was. */
  get hangReason(): string | undefined {
    return this.#hangReason
  }

  /**
   * @param options.signal - asks the worker to stop; the call settles only when the worker answers or ends
   * @throws WorkerCallError
   */
  async call<K extends keyof M & string>(
    method: K,
    request: M[K]['request'],
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<M[K]['result']> {
    if (this.#ended) throw endedError()
    const id = ++this.#lastId
    let graceTimer: NodeJS.Timeout | undefined
    const abort = () => {
      this.#send({ type: 'abort', id })
      // If the server itself was blocked, it first reads what the worker has sent.
      const check = () =>
        setImmediate(() => {
          if (this.#calls.has(id)) this.#endHung('it did not react to an abort')
        })
      graceTimer = setTimeout(check, this.#graceMs)
    }
    try {
      return await new Promise((resolve, reject) => {
        this.#calls.set(id, { resolve, reject })
        this.#send({ type: 'request', id, method, request })
        if (signal?.aborted) abort()
        else signal?.addEventListener('abort', abort, { once: true })
      })
    } finally {
      clearTimeout(graceTimer)
      signal?.removeEventListener('abort', abort)
      this.#calls.delete(id)
      if (this.#calls.size === 0) this.#onIdle?.()
    }
  }

  /**
   * Waits for calls in flight, then ends the process. Make no call after this.
   * @param limitMs - time after which the process is killed
   */
  async drain(limitMs?: number): Promise<WorkerExit> {
    const limit = limitMs === undefined ? undefined : setTimeout(() => this.kill(), limitMs)
    this.#drained ??= this.#drain()
    const exit = await this.#drained
    clearTimeout(limit)
    return exit
  }

  /** Ends the process at once; calls in flight fail as `exited`. */
  kill(): void {
    this.#child.kill('SIGKILL')
  }

  async #drain(): Promise<WorkerExit> {
    if (this.#calls.size > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve))
    this.#send({ type: 'shutdown' })
    const grace = setTimeout(() => this.kill(), this.#graceMs)
    const exit = await this.exited
    clearTimeout(grace)
    return exit
  }

  #endHung(reason: string): void {
    this.#hangReason = reason
    this.kill()
  }

  #send(message: ToWorker<MethodTable>): void {
    // The exit follows a closed channel and fails the calls.
    if (this.#child.connected) this.#child.send(message, () => {})
  }

  #receive(message: FromWorker): void {
    if (message.type === 'pong') return this.#liveness.pong()
    if (message.type !== 'result' && message.type !== 'failure') return
    const call = this.#calls.get(message.id)
    switch (message.type) {
      case 'result':
        return call?.resolve(message.result)
      case 'failure':
        return call?.reject(new WorkerCallError(message.reason, message.message))
    }
  }

  #failAll(): void {
    this.#ended = true
    for (const call of this.#calls.values()) call.reject(endedError())
  }
}

function endedError(): WorkerCallError {
  return new WorkerCallError('exited', 'The worker process ended before it answered.')
}
