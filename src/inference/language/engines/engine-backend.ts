import type { Log } from '../../../telemetry/log.js'
import { createBackOff } from '../../workers/back-off.js'
import { checkEngine, identifyEngine, type EngineToCheck } from './check-engine.js'
import { EngineError } from './engine-error.js'
import type { ModelIdentity } from './tokenizer.js'

/** - `ready`: became usable
 * - `ejected`: was usable and no longer is
 */
export type EngineEvent = 'ready' | 'ejected'

export interface BackendOptions extends EngineToCheck {
  /** Such as `engine 2`: logs and metrics hold no address. */
  label: string
  log: Log
  onEvent: (event: EngineEvent) => void
  /** Failures in a row after which it gets no more calls. Default 3. */
  maxFailures?: number | undefined
  /** Time between checks of a usable engine. Default 5000. */
  checkMs?: number | undefined
  /** Time for one check. Default 10 000: an engine may be busy. */
  checkTimeoutMs?: number | undefined
  /** Longest time between checks of one that is away. Default 30 000. */
  maxBackOffMs?: number | undefined
}

/** One engine of a pool: usable or away, and how it comes back. */
export class EngineBackend {
  readonly #options: BackendOptions
  readonly #closing = new AbortController()
  #delayAfter: ReturnType<typeof createBackOff>
  #identity: ModelIdentity | undefined
  #isUsable = false
  #contextSize = 0
  #failures = 0
  #problem: string | undefined
  #check: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  inFlight = 0

  constructor(options: BackendOptions) {
    this.#options = options
    this.#delayAfter = this.#createBackOff()
  }

  get engine(): EngineToCheck {
    return this.#options
  }

  get isUsable(): boolean {
    return this.#isUsable
  }

  /** Tokens of a call that it takes; 0 before the first check. */
  get contextSize(): number {
    return this.#contextSize
  }

  /** Why it is away, for the operator. */
  get problem(): string | undefined {
    return this.#problem === undefined ? undefined : `${this.#options.label}: ${this.#problem}`
  }

  /** The check in progress of an engine that is away; never rejects. */
  get returning(): Promise<void> | undefined {
    return this.#isUsable ? undefined : this.#check
  }

  /** Checks the engine, and from then on regularly whether it still serves this model. Never rejects. */
  expect(identity: ModelIdentity): Promise<void> {
    this.#identity = identity
    return this.#recheck('whole')
  }

  succeeded(): void {
    this.#failures = 0
  }

  /** Ejects the engine when it failed too often in a row, or may have been restarted. */
  failed(error: EngineError): void {
    this.#failures += 1
    if (!this.#isUsable) return
    if (error.failure === 'connection') {
      // Perhaps it comes back with another model, perhaps it only closed a connection: look at once.
      this.#eject(error.message)
      void this.#recheck('whole')
    } else if (this.#failures >= (this.#options.maxFailures ?? 3)) {
      this.#eject(error.message)
      this.#scheduleReturn()
    }
  }

  close(): void {
    this.#closing.abort()
    clearTimeout(this.#timer)
    this.#isUsable = false
  }

  #recheck(extent: 'whole' | 'identity'): Promise<void> {
    clearTimeout(this.#timer)
    const check = (this.#check ?? Promise.resolve())
      .then(() => this.#runCheck(extent))
      .finally(() => {
        if (this.#check === check) this.#check = undefined
      })
    this.#check = check
    return check
  }

  async #runCheck(extent: 'whole' | 'identity'): Promise<void> {
    const identity = this.#identity
    if (this.#closing.signal.aborted || !identity) return
    clearTimeout(this.#timer)
    const { checkMs = 5_000 } = this.#options
    const check = extent === 'whole' || !this.#isUsable ? checkEngine : identifyEngine
    const signal = AbortSignal.any([this.#closing.signal, this.#timeout()])
    try {
      this.#contextSize = await check(this.#options, identity, signal)
      if (this.#closing.signal.aborted) return
      this.#admit()
      this.#recheckIn(checkMs)
    } catch (error) {
      if (this.#closing.signal.aborted) return
      const failure = toEngineError(error)
      if (this.#isUsable) this.#eject(failure.message)
      else this.#setProblem(failure.message)
      this.#scheduleReturn()
    }
  }

  #timeout(): AbortSignal {
    return AbortSignal.timeout(this.#options.checkTimeoutMs ?? 10_000)
  }

  #admit(): void {
    if (this.#isUsable) return
    this.#isUsable = true
    this.#problem = undefined
    this.#failures = 0
    this.#delayAfter = this.#createBackOff()
    const { log, label, onEvent } = this.#options
    log.info('A language engine is ready', { role: 'language', device: label })
    onEvent('ready')
  }

  #eject(reason: string): void {
    this.#isUsable = false
    this.#setProblem(reason)
    this.#options.onEvent('ejected')
  }

  #setProblem(reason: string): void {
    if (this.#problem === reason) return
    this.#problem = reason
    const { log, label } = this.#options
    log.error('A language engine is away', { role: 'language', device: label, reason })
  }

  #createBackOff() {
    return createBackOff({ maxMs: this.#options.maxBackOffMs })
  }

  #scheduleReturn(): void {
    this.#recheckIn(this.#delayAfter({ kind: 'load_failure' }))
  }

  #recheckIn(delayMs: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#recheck('identity'), delayMs).unref()
  }
}

function toEngineError(error: unknown): EngineError {
  if (error instanceof EngineError) return error
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return new EngineError('timeout', 'it did not answer a check in time')
  }
  return new EngineError('connection', 'the check failed', { cause: error })
}
