import { EngineError } from './engine-error.js'
import { withLimit } from './with-limit.js'

export interface PoolTimes {
  /** Of one attempt of a request; the deadline of its call may leave less. */
  attemptMs: number
  /** Of a verification. */
  verifyMs: number
  /** Of a check. */
  checkLimitMs: number
  /** Between two checks of an engine that serves. */
  checkMs: number
  /** Checks between two verifications of an engine that serves. */
  checksPerVerification: number
  /** Before an engine that is away is verified again; doubles up to `maxRetryMs`. */
  retryMs: number
  maxRetryMs: number
}

/**
 * - `ready`: serves from now on
 * - `ejected`: served, and no longer does
 * - `away`: does not serve yet, for a reason that is new
 */
export type EngineChange = { event: 'ready' } | { event: 'ejected' | 'away'; reason: string }

export interface PooledEngineOptions<E> {
  /**
   * Rejects unless the engine has the right model. Called before it serves, and after every failure that ejected it.
   * @throws EngineError with the reason for the operator
   */
  verify: (engine: E, signal: AbortSignal) => Promise<void>
  /** The quick part of it, called from time to time while the engine serves. */
  check: (engine: E, signal: AbortSignal) => Promise<void>
  onChange?: ((engine: E, change: EngineChange) => void) | undefined
  times: PoolTimes
}

/** Failures in a row that eject an engine: one may be bad luck. */
const MAX_FAILURES = 3

/** One engine of a pool: whether it serves, and how it comes back. */
export class PooledEngine<E extends { name: string }> {
  readonly engine: E
  inFlight = 0
  readonly #options: PooledEngineOptions<E>
  readonly #closing = new AbortController()
  #isServing = false
  #reason: string | undefined
  #failures = 0
  #lateChecks = 0
  #checks = 0
  #retryMs: number
  #check: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(engine: E, options: PooledEngineOptions<E>) {
    this.engine = engine
    this.#options = options
    this.#retryMs = options.times.retryMs
  }

  get isServing(): boolean {
    return this.#isServing
  }

  /** Why it does not serve, for the operator; undefined before it was asked. */
  get problem(): string | undefined {
    return this.#reason === undefined ? undefined : `${this.engine.name}: ${this.#reason}`
  }

  /** The verification in progress of an engine that is away; never rejects. */
  get returning(): Promise<void> | undefined {
    return this.#isServing ? undefined : this.#check
  }

  /** Verifies the engine, which is checked from then on. Never rejects. */
  verify(): Promise<void> {
    return this.#schedule(true)
  }

  succeeded(): void {
    this.#failures = 0
    this.#lateChecks = 0
  }

  /** Ejects the engine when it failed too often in a row, or may have been replaced. One that is busy works. */
  failed({ failure, message }: EngineError): void {
    if (failure === 'busy') return
    this.#failures += 1
    if (!this.#isServing) return
    if (failure === 'connection' || failure === 'mismatch') {
      // Perhaps it comes back with another model, perhaps it only closed a connection: look at once.
      this.#leave(message)
      void this.verify()
    } else if (this.#failures >= MAX_FAILURES) {
      this.#leave(message)
      this.#retryLater()
    }
  }

  close(): void {
    this.#closing.abort()
    clearTimeout(this.#timer)
    this.#isServing = false
  }

  /** Runs after the check in progress, which may be for another model. */
  #schedule(isVerification: boolean): Promise<void> {
    clearTimeout(this.#timer)
    const check = (this.#check ?? Promise.resolve())
      .then(() => this.#run(isVerification || !this.#isServing))
      .finally(() => {
        if (this.#check === check) this.#check = undefined
      })
    this.#check = check
    return check
  }

  async #run(isVerification: boolean): Promise<void> {
    const { verify, check, times } = this.#options
    const { signal } = this.#closing
    if (signal.aborted) return
    clearTimeout(this.#timer)
    const [look, limitMs] = isVerification ? [verify, times.verifyMs] : [check, times.checkLimitMs]
    try {
      await withLimit(limitMs, signal, (limited) => look(this.engine, limited))
    } catch (error) {
      if (signal.aborted) return
      const { failure, message } =
        error instanceof EngineError ? error : new EngineError('refused', 'could not be checked')
      // A busy engine may be late for a check and still answer calls.
      if (failure === 'timeout' && this.#isServing && ++this.#lateChecks < MAX_FAILURES) {
        return this.#checkLater()
      }
      this.#leave(message)
      return this.#retryLater()
    }
    // Calls may have ejected it during a check, which is no verification.
    if (signal.aborted || (!isVerification && !this.#isServing)) return
    this.#lateChecks = 0
    this.#enter()
    this.#checkLater()
  }

  #checkLater(): void {
    const { times } = this.#options
    this.#checks += 1
    const isVerificationDue = this.#checks % times.checksPerVerification === 0
    this.#timer = setTimeout(() => void this.#schedule(isVerificationDue), times.checkMs).unref()
  }

  #retryLater(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.verify(), this.#retryMs).unref()
    this.#retryMs = Math.min(2 * this.#retryMs, this.#options.times.maxRetryMs)
  }

  #enter(): void {
    this.#retryMs = this.#options.times.retryMs
    if (this.#isServing) return
    this.#isServing = true
    this.#failures = 0
    this.#reason = undefined
    this.#options.onChange?.(this.engine, { event: 'ready' })
  }

  #leave(reason: string): void {
    const wasServing = this.#isServing
    const isNews = this.#reason !== reason
    this.#isServing = false
    this.#reason = reason
    if (wasServing) this.#options.onChange?.(this.engine, { event: 'ejected', reason })
    else if (isNews) this.#options.onChange?.(this.engine, { event: 'away', reason })
  }
}
