import { ServiceError } from '../../../core/service-error.js'
import type { InferenceCall } from '../../inference-call.js'
import type { ModelState } from '../../workers/worker-supervisor.js'
import { EngineError } from './engine-error.js'
import { EngineBackend, type BackendOptions } from './engine-backend.js'
import type { ModelIdentity } from './tokenizer.js'

export interface EnginePoolOptions {
  backends: readonly BackendOptions[]
  /** Called when a call is sent to another engine. */
  onRetry: () => void
  /** A number in [0, 1). Default: `Math.random`. */
  random?: () => number
}

/** Half of the remaining time is for the first engine, as far as that leaves this much. */
const MIN_ATTEMPT_MS = 1_000
const MAX_TIMER_MS = 2 ** 31 - 1

/** Shares calls among engines that serve the same model. */
export class EnginePool {
  readonly #backends: readonly EngineBackend[]
  readonly #onRetry: () => void
  readonly #random: () => number
  /** By the signal of a request, which all its calls share: its prompts have a common prefix, which one engine then caches. */
  readonly #chosen = new WeakMap<AbortSignal, EngineBackend>()
  #wasReady = false
  #isChecking = false
  #isClosed = false

  constructor({ backends, onRetry, random = Math.random }: EnginePoolOptions) {
    this.#backends = backends.map(
      (options) =>
        new EngineBackend({
          ...options,
          onEvent: (event) => {
            this.#wasReady ||= event === 'ready'
            options.onEvent(event)
          },
        }),
    )
    this.#onRetry = onRetry
    this.#random = random
  }

  get state(): ModelState {
    if (this.#isClosed) return 'closed'
    if (this.usable > 0) return 'ready'
    if (this.#isChecking) return 'starting'
    return this.#wasReady ? 'restarting' : 'failed'
  }

  get usable(): number {
    return this.#backends.filter(({ isUsable }) => isUsable).length
  }

  get size(): number {
    return this.#backends.length
  }

  /** Of those that are away, for the operator. */
  get problem(): string | undefined {
    const problems = this.#backends.flatMap(({ problem }) => problem ?? [])
    return problems.length > 0 ? problems.join('; ') : undefined
  }

  /**
   * Checks every engine against a model, which the pool then expects of them.
   * @throws EngineError when no engine serves it; the pool tries again by itself
   */
  async start(identity: ModelIdentity): Promise<void> {
    this.#isChecking = true
    await Promise.all(this.#backends.map((backend) => backend.expect(identity)))
    this.#isChecking = false
    if (this.usable > 0 || this.#isClosed) return
    throw new EngineError('mismatch', this.problem ?? 'no engine can be used')
  }

  /**
   * Runs work at an engine, and once more at another one if the first fails.
   * @param call - calls with the same signal go to the same engine while it can be used
   * @param signal - aborts the work, at the deadline at the latest
   * @throws ServiceError `model_unavailable`
   * @throws the abort reason
   */
  async run<T>(
    call: InferenceCall,
    signal: AbortSignal,
    work: (backend: EngineBackend, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const first = await this.#choose(call, signal)
    try {
      return await this.#attempt(first, { call, signal, isLast: false }, work)
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof EngineError)) throw error
    }
    const second = await this.#choose(call, signal, first)
    this.#onRetry()
    try {
      return await this.#attempt(second, { call, signal, isLast: true }, work)
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof EngineError)) throw error
      throw unavailable('The language engines did not answer.', error)
    }
  }

  close(): void {
    this.#isClosed = true
    for (const backend of this.#backends) backend.close()
  }

  async #attempt<T>(
    backend: EngineBackend,
    { call, signal, isLast }: { call: InferenceCall; signal: AbortSignal; isLast: boolean },
    work: (backend: EngineBackend, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const hasOther = this.#backends.some((each) => each !== backend && each.isUsable)
    const remainingMs = call.deadline - Date.now()
    const limitMs = Math.min(Math.max(MIN_ATTEMPT_MS, Math.ceil(remainingMs / 2)), MAX_TIMER_MS)
    const limit =
      isLast || !hasOther || limitMs >= remainingMs ? undefined : AbortSignal.timeout(limitMs)
    try {
      const result = await work(backend, limit ? AbortSignal.any([signal, limit]) : signal)
      backend.succeeded()
      return result
    } catch (error) {
      const failure = toFailure(error, { signal, limit, deadline: call.deadline })
      if (failure) backend.failed(failure)
      throw failure ?? error
    } finally {
      backend.inFlight -= 1
    }
  }

  /**
   * Chooses an engine and counts the call as in flight there, before another call chooses.
   * @param failed - is chosen only if there is no other
   */
  async #choose(
    call: InferenceCall,
    signal: AbortSignal,
    failed?: EngineBackend,
  ): Promise<EngineBackend> {
    const backend = this.#pick(call, failed) ?? (await this.#awaitOne(call, signal, failed))
    if (backend) return backend
    throw unavailable('No language engine can be used at present.')
  }

  #pick(call: InferenceCall, failed: EngineBackend | undefined): EngineBackend | undefined {
    const known = this.#chosen.get(call.signal)
    if (known?.isUsable && known !== failed) return takeCall(known)
    const others = this.#backends.filter((each) => each.isUsable && each !== failed)
    const usable = others.length > 0 ? others : failed?.isUsable ? [failed] : []
    const backend = leastInFlightOfTwo(usable, this.#random)
    if (!backend) return undefined
    this.#chosen.set(call.signal, backend)
    return takeCall(backend)
  }

  /** An engine that was ejected a moment ago may be back as soon as it is checked. */
  async #awaitOne(
    call: InferenceCall,
    signal: AbortSignal,
    failed: EngineBackend | undefined,
  ): Promise<EngineBackend | undefined> {
    const returning = this.#backends.flatMap((backend) => backend.returning ?? [])
    if (returning.length === 0) return undefined
    const whenUsable = returning.map(async (check) => {
      await check
      if (this.usable === 0) throw new EngineError('connection', 'still away')
    })
    await untilAborted(
      signal,
      Promise.any(whenUsable).catch(() => {}),
    )
    return this.#pick(call, failed)
  }
}

function takeCall(backend: EngineBackend): EngineBackend {
  backend.inFlight += 1
  return backend
}

/** The better of two random ones is nearly as good as the best, and replicas do not all choose the same. */
function leastInFlightOfTwo(
  backends: readonly EngineBackend[],
  random: () => number,
): EngineBackend | undefined {
  const one = Math.floor(random() * backends.length)
  const offset = 1 + Math.floor(random() * (backends.length - 1))
  const first = backends[one]
  const second = backends[(one + offset) % backends.length]
  if (!first || !second) return first
  return second.inFlight < first.inFlight ? second : first
}

/** The engine's part in a failure; undefined if the caller left. */
function toFailure(
  error: unknown,
  limits: { signal: AbortSignal; limit: AbortSignal | undefined; deadline: number },
): EngineError | undefined {
  if (error instanceof EngineError) return error
  const isLate = limits.signal.aborted ? Date.now() >= limits.deadline : limits.limit?.aborted
  return isLate ? new EngineError('timeout', 'it did not answer in time') : undefined
}

function unavailable(message: string, cause?: unknown): ServiceError {
  return new ServiceError('model_unavailable', `${message} Retry later.`, { cause })
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
