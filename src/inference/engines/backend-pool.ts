import { setTimeout as sleep } from 'node:timers/promises'
import PQueue from 'p-queue'
import { EngineError } from './http-request.js'

export interface BackendPoolOptions<B extends { name: string }> {
  backends: readonly B[]
  /** Requests to all backends at a time. */
  concurrency: number
  /**
   * Rejects unless the backend has the right models. Called before it serves, after every failure that took it out, and from
   * time to time while it serves.
   * @throws EngineError with the reason for the operator
   */
  verify: (backend: B, signal: AbortSignal) => Promise<void>
  /** Rejects unless the backend answers; called every `checkMs` while it serves. */
  check: (backend: B, signal: AbortSignal) => Promise<void>
  /** Called when a backend begins to serve, or stops with a reason. */
  onChange?: (backend: B, problem: string | undefined) => void
  times?: Partial<PoolTimes> | undefined
}

export interface PoolTimes {
  /** Of one attempt of a request. */
  attemptMs: number
  /** Of a verification. */
  verifyMs: number
  /** Between two checks of a serving backend. */
  checkMs: number
  /** Checks between two verifications of a serving backend. */
  checksPerVerification: number
  /** Before a backend that was taken out is verified again; doubles up to `maxRetryMs`. */
  retryMs: number
  maxRetryMs: number
}

const TIMES: PoolTimes = {
  attemptMs: 10_000,
  verifyMs: 60_000,
  checkMs: 1_000,
  checksPerVerification: 60,
  retryMs: 500,
  maxRetryMs: 10_000,
}

/** Failures in a row that take a backend out: one may be bad luck. */
const FAILURES_TO_EJECT = 2

interface BackendState<B> {
  backend: B
  isServing: boolean
  /** Why it does not serve. */
  problem: string | undefined
  inFlight: number
  failures: number
  /** Ends the wait of its watcher. */
  wake: AbortController
}

/** Several servers with the same models, of which any may end, hang, or come back with another model. */
export class BackendPool<B extends { name: string }> {
  readonly #options: BackendPoolOptions<B>
  readonly #times: PoolTimes
  readonly #states: BackendState<B>[]
  readonly #queue: PQueue
  readonly #closing = new AbortController()

  constructor(options: BackendPoolOptions<B>) {
    this.#options = options
    this.#times = { ...TIMES, ...options.times }
    this.#queue = new PQueue({ concurrency: options.concurrency })
    this.#states = options.backends.map((backend) => ({
      backend,
      isServing: false,
      problem: 'not asked yet',
      inFlight: 0,
      failures: 0,
      wake: new AbortController(),
    }))
  }

  /**
   * Resolves when a backend serves; the others are verified meanwhile and from then on.
   * @throws EngineError with the reason of each when none does
   */
  async start(): Promise<void> {
    const first = this.#states.map(async (state) => {
      try {
        await this.#verify(state)
        if (!state.isServing) throw new EngineError(state.problem)
      } finally {
        void this.#watch(state)
      }
    })
    try {
      await Promise.any(first)
    } catch {
      throw new EngineError(this.problem)
    }
  }

  /** Why no backend serves; undefined while one does. */
  get problem(): string | undefined {
    if (this.#states.some(({ isServing }) => isServing)) return undefined
    return this.#states.map(({ backend, problem }) => `${backend.name} ${problem}`).join('; ')
  }

  /** Backends that serve, of all. */
  get serving(): number {
    return this.#states.filter(({ isServing }) => isServing).length
  }

  /**
   * Runs a request at the less busy one of two backends, and once more, at another one where there is one, when it fails. Requests
   * must be safe to repeat.
   * @throws EngineError; the abort reason
   */
  async run<T>(
    request: (backend: B, signal: AbortSignal) => Promise<T>,
    { signal }: { signal: AbortSignal },
  ): Promise<T> {
    return this.#queue.add(
      async () => {
        const first = this.#choose()
        if (!first) throw new EngineError(this.problem ?? 'no engine serves')
        try {
          return await this.#attempt(first, request, signal)
        } catch (error) {
          if (!(error instanceof EngineError)) throw error
          const second = this.#choose(first) ?? (first.isServing ? first : undefined)
          if (!second) throw error
          return await this.#attempt(second, request, signal)
        }
      },
      { signal },
    )
  }

  close(): void {
    this.#closing.abort()
    for (const { wake } of this.#states) wake.abort()
  }

  #choose(except?: BackendState<B>): BackendState<B> | undefined {
    const serving = this.#states.filter((state) => state.isServing && state !== except)
    const [one, other] = [pick(serving), pick(serving)]
    return one && other && other.inFlight < one.inFlight ? other : one
  }

  async #attempt<T>(
    state: BackendState<B>,
    request: (backend: B, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    state.inFlight += 1
    try {
      const result = await withLimit(this.#times.attemptMs, signal, (limited) =>
        request(state.backend, limited),
      )
      state.failures = 0
      return result
    } catch (error) {
      if (error instanceof EngineError) this.#countFailure(state, error)
      throw error
    } finally {
      state.inFlight -= 1
    }
  }

  #countFailure(state: BackendState<B>, { message }: EngineError): void {
    state.failures += 1
    if (state.failures >= FAILURES_TO_EJECT) this.#takeOut(state, message)
  }

  #takeOut(state: BackendState<B>, problem: string): void {
    const wasServing = state.isServing
    state.isServing = false
    state.problem = problem
    if (!wasServing || this.#closing.signal.aborted) return
    this.#options.onChange?.(state.backend, problem)
    state.wake.abort()
  }

  /** Never rejects. */
  async #verify(state: BackendState<B>): Promise<void> {
    const { verify, onChange } = this.#options
    try {
      await withLimit(this.#times.verifyMs, this.#closing.signal, (signal) =>
        verify(state.backend, signal),
      )
    } catch (error) {
      const problem = error instanceof EngineError ? error.message : 'could not be verified'
      if (state.isServing) this.#takeOut(state, problem)
      else state.problem = problem
      return
    }
    const wasServing = state.isServing
    state.isServing = !this.#closing.signal.aborted
    state.problem = undefined
    state.failures = 0
    if (!wasServing && state.isServing) onChange?.(state.backend, undefined)
  }

  /** Checks a backend while it serves, and tries to bring it back while it does not, until the pool is closed. */
  async #watch(state: BackendState<B>): Promise<void> {
    const { checkMs, checksPerVerification, retryMs, maxRetryMs } = this.#times
    let waitMs = retryMs
    let checks = 0
    while (!this.#closing.signal.aborted) {
      if (state.isServing) {
        waitMs = retryMs
        checks += 1
        await this.#wait(state, checkMs)
        if (!state.isServing) continue
        if (checks % checksPerVerification === 0) await this.#verify(state)
        else await this.#check(state)
      } else {
        await this.#wait(state, waitMs)
        waitMs = Math.min(2 * waitMs, maxRetryMs)
        if (!this.#closing.signal.aborted) await this.#verify(state)
      }
    }
  }

  async #check(state: BackendState<B>): Promise<void> {
    try {
      await withLimit(this.#times.attemptMs, this.#closing.signal, (signal) =>
        this.#options.check(state.backend, signal),
      )
    } catch (error) {
      if (error instanceof EngineError) this.#countFailure(state, error)
    }
  }

  async #wait(state: BackendState<B>, ms: number): Promise<void> {
    state.wake = new AbortController()
    if (this.#closing.signal.aborted) return
    await sleep(ms, undefined, { signal: state.wake.signal, ref: false }).catch(() => {})
  }
}

function pick<T>(items: readonly T[]): T | undefined {
  return items[Math.floor(Math.random() * items.length)]
}

/**
 * Aborts work that takes longer.
 * @throws EngineError when it took longer; the abort reason when `signal` aborts
 */
async function withLimit<T>(
  limitMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const limited = new AbortController()
  const onAbort = () => limited.abort(signal.reason)
  signal.addEventListener('abort', onAbort)
  const late = new EngineError(`did not answer within ${limitMs / 1_000} s`)
  const timer = setTimeout(() => limited.abort(late), limitMs)
  try {
    return await work(limited.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
