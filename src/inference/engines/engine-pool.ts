import type { ModelState } from '../workers/worker-supervisor.js'
import { EngineError, type EngineFailure } from './engine-error.js'
import type { EngineLoad, EngineReport } from './engine-report.js'
import { PooledEngine, type PooledEngineOptions, type PoolTimes } from './pooled-engine.js'
import { withLimit } from './with-limit.js'

export interface EnginePoolOptions<E extends { name: string }> extends Omit<
  PooledEngineOptions<E>,
  'times'
> {
  engines: readonly E[]
  report?: EngineReport | undefined
  times?: Partial<PoolTimes> | undefined
}

export interface PooledCall {
  signal: AbortSignal
  /** Milliseconds since the epoch. Half of the remaining time is for the first engine while there is another. */
  deadline?: number | undefined
  /** Calls with the same object go to the same engine while it serves: they have something in common that it keeps. */
  affinity?: object | undefined
}

const TIMES: PoolTimes = {
  attemptMs: Infinity,
  verifyMs: 60_000,
  checkLimitMs: 10_000,
  checkMs: 1_000,
  checksPerVerification: 60,
  retryMs: 500,
  maxRetryMs: 10_000,
}

/** The first engine has this much of the time before the deadline at least. */
const MIN_ATTEMPT_MS = 1_000

/** Several servers with the same models, of which any may end, hang, or come back with another model. */
export class EnginePool<E extends { name: string }> {
  readonly #engines: readonly PooledEngine<E>[]
  readonly #times: PoolTimes
  readonly #report: EngineReport | undefined
  readonly #chosen = new WeakMap<object, PooledEngine<E>>()
  #wasReady = false
  #starts = 0
  #isClosed = false

  constructor({ engines, report, onChange, times, ...options }: EnginePoolOptions<E>) {
    this.#times = { ...TIMES, ...times }
    this.#report = report
    const optionsOf = (number: number): PooledEngineOptions<E> => ({
      ...options,
      times: this.#times,
      onChange: (engine, change) => {
        this.#wasReady ||= change.event === 'ready'
        if (change.event !== 'away') report?.onEvent(number, change.event)
        onChange?.(engine, change)
      },
    })
    this.#engines = engines.map((engine, index) => new PooledEngine(engine, optionsOf(index + 1)))
  }

  /** `failed`: none has served yet; they are tried again all the same. */
  get state(): ModelState {
    if (this.#isClosed) return 'closed'
    if (this.serving > 0) return 'ready'
    if (this.#starts > 0) return 'starting'
    return this.#wasReady ? 'restarting' : 'failed'
  }

  /** Engines that serve, of `size`. */
  get serving(): number {
    return this.#engines.filter(({ isServing }) => isServing).length
  }

  get size(): number {
    return this.#engines.length
  }

  /** In the order in which they were given. */
  get load(): EngineLoad[] {
    return this.#engines.map(({ isServing, inFlight }) => ({ isServing, inFlight }))
  }

  /** Why no engine serves; undefined while one does, and before any was asked. */
  get problem(): string | undefined {
    const problems = this.#engines.flatMap(({ problem }) => problem ?? [])
    return this.serving > 0 || problems.length === 0 ? undefined : problems.join('; ')
  }

  /**
   * Verifies all engines, from then on regularly. Resolves when one serves and none serves unverified, so that it can be called again
   * when another model is to be served.
   * @throws EngineError with the reason of each when none serves; they are tried again all the same
   */
  async start(): Promise<void> {
    this.#starts += 1
    const wereServing = this.#engines.map(({ isServing }) => isServing)
    const verified = this.#engines.map((engine) => engine.verify())
    await Promise.all(verified.filter((_, index) => wereServing[index]))
    const firstToServe = verified.map(async (verification, index) => {
      await verification
      if (!this.#engines[index]!.isServing) throw new EngineError('mismatch', 'does not serve')
    })
    await Promise.any(firstToServe).catch(() => {})
    this.#starts -= 1
    if (this.serving > 0 || this.#isClosed) return
    throw new EngineError('mismatch', this.problem ?? 'no engine serves')
  }

  /**
   * Runs work at the less busy one of two engines, and once more, at another one where there is one, when it fails. Work must be safe to
   * repeat.
   * @throws EngineError; the abort reason
   */
  async run<T>(work: (engine: E, signal: AbortSignal) => Promise<T>, call: PooledCall): Promise<T> {
    const first = await this.#take(call)
    if (!first) throw new EngineError('connection', this.problem ?? 'no engine serves')
    try {
      return await this.#attempt(first, work, { ...call, isLast: false })
    } catch (error) {
      call.signal.throwIfAborted()
      if (!(error instanceof EngineError)) throw error
      const second = await this.#take(call, first)
      if (!second) throw error
      this.#report?.onRetry()
      return await this.#attempt(second, work, { ...call, isLast: true })
    }
  }

  close(): void {
    this.#isClosed = true
    for (const engine of this.#engines) engine.close()
  }

  async #attempt<T>(
    pooled: PooledEngine<E>,
    work: (engine: E, signal: AbortSignal) => Promise<T>,
    call: PooledCall & { isLast: boolean },
  ): Promise<T> {
    const startedAt = performance.now()
    const report = (outcome: 'answered' | EngineFailure) => {
      const number = this.#engines.indexOf(pooled) + 1
      this.#report?.onAttempt(number, outcome, performance.now() - startedAt)
    }
    try {
      const result = await withLimit(this.#limitOf(pooled, call), call.signal, (limited) =>
        work(pooled.engine, limited),
      )
      pooled.succeeded()
      report('answered')
      return result
    } catch (error) {
      const failure = toFailure(error, call)
      if (failure) {
        pooled.failed(failure)
        report(failure.failure)
      }
      call.signal.throwIfAborted()
      throw error
    } finally {
      pooled.inFlight -= 1
    }
  }

  #limitOf(pooled: PooledEngine<E>, { deadline, isLast }: PooledCall & { isLast: boolean }) {
    const { attemptMs } = this.#times
    const hasOther = this.#engines.some((each) => each !== pooled && each.isServing)
    if (isLast || !hasOther || deadline === undefined) return attemptMs
    const remainingMs = deadline - Date.now()
    const halfMs = Math.max(MIN_ATTEMPT_MS, Math.ceil(remainingMs / 2))
    return halfMs < remainingMs ? Math.min(attemptMs, halfMs) : attemptMs
  }

  /**
   * Chooses an engine and counts the call as in flight there, before another call chooses.
   * @param failed - is chosen only if there is no other
   * @returns undefined when none serves
   */
  async #take(call: PooledCall, failed?: PooledEngine<E>): Promise<PooledEngine<E> | undefined> {
    const pooled = this.#choose(call, failed)
    if (pooled) return pooled
    await this.#untilOneReturns(call.signal)
    return this.#choose(call, failed)
  }

  #choose({ affinity }: PooledCall, failed?: PooledEngine<E>): PooledEngine<E> | undefined {
    const known = affinity && this.#chosen.get(affinity)
    const serving = this.#engines.filter(({ isServing }) => isServing)
    const others = serving.filter((each) => each !== failed)
    const pooled =
      known && others.includes(known) ? known : lessBusyOfTwo(others.length > 0 ? others : serving)
    if (!pooled) return undefined
    if (affinity) this.#chosen.set(affinity, pooled)
    pooled.inFlight += 1
    return pooled
  }

  /** One that was ejected a moment ago may be back as soon as it is verified. */
  async #untilOneReturns(signal: AbortSignal): Promise<void> {
    const returning = this.#engines.flatMap((engine) => engine.returning ?? [])
    if (returning.length === 0) return
    const firstBack = returning.map(async (verification) => {
      await verification
      if (this.serving === 0) throw new EngineError('connection', 'still away')
    })
    await untilAborted(
      signal,
      Promise.any(firstBack).catch(() => {}),
    )
  }
}

/** The engine's part in an error; undefined when the caller left, or asked for something impossible. */
function toFailure(error: unknown, { signal, deadline }: PooledCall): EngineError | undefined {
  if (error instanceof EngineError) return error
  const isLate = signal.aborted && Date.now() >= (deadline ?? Infinity)
  return isLate ? new EngineError('timeout', 'did not answer before the deadline') : undefined
}

/** The better of two random ones is nearly as good as the best, and replicas do not all choose the same. */
function lessBusyOfTwo<P extends { inFlight: number }>(engines: readonly P[]): P | undefined {
  const one = Math.floor(Math.random() * engines.length)
  const offset = 1 + Math.floor(Math.random() * (engines.length - 1))
  const first = engines[one]
  const second = engines[(one + offset) % engines.length]
  if (!first || !second) return first
  return second.inFlight < first.inFlight ? second : first
}

async function untilAborted(signal: AbortSignal, work: Promise<unknown>): Promise<void> {
  signal.throwIfAborted()
  let onAbort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error)
    signal.addEventListener('abort', onAbort)
  })
  try {
    await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
