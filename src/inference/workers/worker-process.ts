import type { ChildProcess } from 'node:child_process'
import type { ForkedWorker, WorkerExit } from './fork-worker.js'
import type {
  FromWorker,
  MethodTable,
  ToWorker,
  WorkerFailureReason,
  WorkerInfo,
} from './protocol.js'

/** A worker did not serve a call; `exited` when its process ended before the answer. */
export class WorkerCallError extends Error {
  override readonly name = 'WorkerCallError'
  readonly reason: WorkerFailureReason | 'exited'

  constructor(reason: WorkerFailureReason | 'exited', message: string) {
    super(message)
    this.reason = reason
  }
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
  #hung = false
  #ended = false
  #onIdle: (() => void) | undefined
  #drained: Promise<WorkerExit> | undefined

  /** @param graceMs - time to react to an abort or a shutdown before the worker is killed */
  constructor({ child, exited }: ForkedWorker, info: WorkerInfo, graceMs: number) {
    this.info = info
    this.pid = child.pid ?? 0
    this.#child = child
    this.#graceMs = graceMs
    child.on('message', (message: FromWorker) => this.#receive(message))
    this.exited = exited
    // One turn later, so that the router has stopped sending calls here before a failure makes room for the next.
    void exited.then(() => setImmediate(() => this.#failAll()))
  }

  /** Whether the worker was killed because it did not react to an abort. */
  get hung(): boolean {
    return this.#hung
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
      const check = () => setImmediate(() => this.#calls.has(id) && this.#endHung())
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

  #endHung(): void {
    this.#hung = true
    this.kill()
  }

  #send(message: ToWorker<MethodTable>): void {
    // The exit follows a closed channel and fails the calls.
    if (this.#child.connected) this.#child.send(message, () => {})
  }

  #receive(message: FromWorker): void {
    if (!('id' in message)) return
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
