import { setMaxListeners } from 'node:events'
import PQueue from 'p-queue'
import { ServiceError } from '../../core/service-error.js'
import { PRIORITIES, type InferenceCall, type Priority } from '../inference-call.js'
import { createBurstAllowance } from './burst-allowance.js'

export interface AdmissionQueueOptions {
  /** Calls that run at the same time. */
  concurrency: number
  /** Calls that may wait; the next one is refused. */
  limit: number
  /**
   * Calls that may always wait. The places up to `limit` are for bursts (see `createBurstAllowance`), as long as the last call of a
   * burst waits at most `burstWaitMs`. Default: all places.
   */
  standing?: { limit: number; refillMs: number; burstWaitMs: number } | undefined
  /** Called when a call starts, with the milliseconds it waited. */
  onStart?: ((waitedMs: number) => void) | undefined
  /** The clock of deadlines, in milliseconds since the epoch. Default: `Date.now`. */
  clock?: () => number
}

export interface QueueLoad {
  waiting: number
  running: number
}

type Claim = Pick<InferenceCall, 'deadline' | 'priority'>

/** Weight of the newest service time in the moving average: about the last ten calls count. */
const NEWEST_WEIGHT = 0.2
const MAX_RETRY_AFTER_SECONDS = 60
const MAX_TIMER_MS = 2 ** 31 - 1

/** A bounded priority queue that refuses a call at once if it cannot be served in time. */
export class AdmissionQueue {
  readonly #queue: PQueue
  readonly #concurrency: number
  readonly #limit: number
  readonly #standing: { limit: number; burstWaitMs: number }
  readonly #burst: ReturnType<typeof createBurstAllowance>
  readonly #onStart: AdmissionQueueOptions['onStart']
  readonly #clock: () => number
  /** Aborting one removes its waiting call from the queue. */
  readonly #waiting = new Set<AbortController>()
  #averageServiceMs: number | undefined

  constructor({ concurrency, limit, standing, onStart, clock = Date.now }: AdmissionQueueOptions) {
    this.#queue = new PQueue({ concurrency })
    this.#concurrency = concurrency
    this.#limit = limit
    this.#standing = standing ?? { limit, burstWaitMs: Infinity }
    this.#burst = createBurstAllowance({
      places: standing ? limit - standing.limit : 0,
      refillMs: standing?.refillMs ?? 1,
    })
    this.#onStart = onStart
    this.#clock = clock
    this.#queue.on('next', () => this.#updateBurst())
  }

  /**
   * Runs a task as soon as a slot is free and no call of higher priority waits. The promise settles at once when the caller aborts
   * or the deadline passes; the slot stays taken until the task settles, which its signal asks it to do.
   * @throws ServiceError `overloaded` when the queue is full, or the deadline passes or would pass while waiting
   * @throws the abort reason when the caller aborts
   */
  async run<T>(call: InferenceCall, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    call.signal.throwIfAborted()
    const refusal = this.refusal(call)
    if (refusal) throw refusal
    if (this.#queue.size >= this.#standing.limit) this.#burst.take()
    const departure = new AbortController()
    const stopWatching = this.#watchCaller(call, departure)
    try {
      return await this.#enqueue(call.priority, departure, task)
    } finally {
      this.#waiting.delete(departure)
      stopWatching()
    }
  }

  /** The error that `run` would throw now, if any. */
  refusal({ deadline, priority }: Claim): ServiceError | undefined {
    if (!this.#hasPlace(priority)) {
      return this.#overloaded(priority, 'Too many calls wait for the model. Retry later.')
    }
    if (this.#clock() + this.#expectedWaitMs(priority) >= deadline) {
      return this.#overloaded(
        priority,
        'The model cannot answer within the time allowed. Retry later.',
      )
    }
    return undefined
  }

  /** Starts no further task until `resume`; waiting calls stay. */
  pause(): void {
    this.#queue.pause()
  }

  resume(): void {
    this.#queue.start()
  }

  /** Fails every call that waits now. */
  rejectWaiting(error: Error): void {
    for (const departure of this.#waiting) departure.abort(error)
  }

  load(): QueueLoad {
    return { waiting: this.#queue.size, running: this.#queue.pending }
  }

  async #enqueue<T>(
    priority: Priority,
    departure: AbortController,
    task: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const queuedAt = performance.now()
    const departed = departure.signal
    // Only valid while waiting: p-queue would free the slot of a running task, whose worker is still busy.
    const place = new AbortController()
    const giveUpPlace = () => place.abort()
    departed.addEventListener('abort', giveUpPlace)
    return new Promise<T>((resolve, reject) => {
      departed.addEventListener('abort', () => reject(departed.reason as Error))
      this.#waiting.add(departure)
      const start = async () => {
        this.#waiting.delete(departure)
        departed.removeEventListener('abort', giveUpPlace)
        this.#onStart?.(performance.now() - queuedAt)
        await this.#measure(() => task(departed)).then(resolve, reject)
      }
      this.#queue.add(start, { priority: rank(priority), signal: place.signal }).catch(reject)
      this.#updateBurst()
    })
  }

  #hasPlace(priority: Priority): boolean {
    if (this.#queue.size < this.#standing.limit) return true
    return (
      this.#queue.size < this.#limit &&
      this.#burst.isLeft() &&
      this.#expectedWaitMs(priority) <= this.#standing.burstWaitMs
    )
  }

  #expectedWaitMs(priority: Priority): number {
    const ahead = PRIORITIES.slice(0, PRIORITIES.indexOf(priority) + 1)
      .map((atLeast) => this.#queue.sizeBy({ priority: rank(atLeast) }))
      .reduce((sum, size) => sum + size, 0)
    if (ahead === 0 && this.#queue.pending < this.#concurrency) return 0
    return ((ahead + 1) * (this.#averageServiceMs ?? 0)) / this.#concurrency
  }

  #updateBurst(): void {
    this.#burst.setFree(this.#queue.size === 0 && this.#queue.pending < this.#concurrency)
  }

  #overloaded(priority: Priority, message: string): ServiceError {
    const seconds = Math.ceil(this.#expectedWaitMs(priority) / 1_000)
    const retryAfterSeconds = Math.min(Math.max(1, seconds), MAX_RETRY_AFTER_SECONDS)
    return new ServiceError('overloaded', message, { retryAfterSeconds })
  }

  async #measure<T>(task: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    const result = await task()
    const serviceMs = performance.now() - startedAt
    this.#averageServiceMs ??= serviceMs
    this.#averageServiceMs += NEWEST_WEIGHT * (serviceMs - this.#averageServiceMs)
    return result
  }

  /** Aborts `departure` when the caller aborts or the deadline passes, until the returned function is called. */
  #watchCaller(
    { signal, deadline, priority }: InferenceCall,
    departure: AbortController,
  ): () => void {
    const onAbort = () => departure.abort(signal.reason)
    const onDeadline = () =>
      departure.abort(
        this.#overloaded(
          priority,
          'The model did not answer within the time allowed. Retry later.',
        ),
      )
    const timer = setTimeout(onDeadline, Math.min(deadline - this.#clock(), MAX_TIMER_MS))
    // Many concurrent calls of a request share its signal; Node would warn of a leak.
    setMaxListeners(0, signal)
    signal.addEventListener('abort', onAbort)
    return () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
  }
}

/** p-queue starts the highest number first. */
function rank(priority: Priority): number {
  return PRIORITIES.length - PRIORITIES.indexOf(priority)
}
