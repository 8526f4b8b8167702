import { setMaxListeners } from 'node:events'
import { ServiceError } from '../../core/service-error.js'
import type { InferenceCall } from '../inference-call.js'
import { createBurstAllowance } from './burst-allowance.js'
import { FairOrder, type Rank } from './fair-order.js'

export interface AdmissionQueueOptions {
  /** Calls that run at the same time. */
  concurrency: number
  /** Calls that may wait. When as many wait, a tenant with a larger part of them gives way to one with a smaller part. */
  limit: number
  /**
   * Calls of one tenant that may always wait. The places up to `limit` are for bursts (see `createBurstAllowance`), as long as the
   * last call of a burst waits at most `burstWaitMs`. Default: all places.
   */
  standing?: { limit: number; refillMs: number; burstWaitMs: number } | undefined
  /**
   * Whether places are kept free, so that a tenant does not wait for the slow calls of others. `always`: one runs at most as many
   * calls as places are free, so one alone uses half of them. `whileShared`: as many as are free, or as its part of all places if
   * they were divided equally among those who have called within the last minute. Default: never.
   */
  keepsPlacesFree?: 'always' | 'whileShared'
  /** Called when a call starts, with the milliseconds it waited. */
  onStart?: ((waitedMs: number) => void) | undefined
  /** The clock of deadlines, in milliseconds since the epoch. Default: `Date.now`. */
  clock?: () => number
}

export interface QueueLoad {
  waiting: number
  running: number
}

type Claim = Rank & Pick<InferenceCall, 'deadline'>

/** A call that waits. */
interface WaitingCall {
  start: () => void
  /** Ends the wait, and the call, with an error. */
  fail: (error: Error) => void
}

/** Weight of the newest service time in the moving average: about the last ten calls count. */
const NEWEST_WEIGHT = 0.2
const MAX_RETRY_AFTER_SECONDS = 60
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * A bounded queue that shares its slots fairly among tenants, and refuses a call at once if it cannot be served in time. What one
 * tenant does not ask for, the others get.
 */
export class AdmissionQueue {
  readonly #waiting = new FairOrder<WaitingCall>()
  readonly #concurrency: number
  readonly #limit: number
  readonly #standing: { limit: number; burstWaitMs: number }
  readonly #burst: ReturnType<typeof createBurstAllowance>
  readonly #onStart: AdmissionQueueOptions['onStart']
  readonly #clock: () => number
  readonly #keepsPlacesFree: AdmissionQueueOptions['keepsPlacesFree']
  #running = 0
  #isPaused = false
  #averageServiceMs: number | undefined

  constructor(options: AdmissionQueueOptions) {
    const { concurrency, limit, standing, keepsPlacesFree, onStart, clock = Date.now } = options
    this.#concurrency = concurrency
    this.#keepsPlacesFree = keepsPlacesFree
    this.#limit = limit
    this.#standing = standing ?? { limit, burstWaitMs: Infinity }
    this.#burst = createBurstAllowance({
      places: standing ? limit - standing.limit : 0,
      refillMs: standing?.refillMs ?? 1,
    })
    this.#onStart = onStart
    this.#clock = clock
  }

  /**
   * Runs a task when it is its turn and a slot is free. The promise settles at once when the caller aborts or the deadline passes;
   * the slot stays taken until the task settles, which its signal asks it to do.
   * @throws ServiceError `overloaded` when there is no place to wait, another tenant needs the place, or the deadline passes or
   *   would pass while waiting
   * @throws the abort reason when the caller aborts
   */
  async run<T>(call: InferenceCall, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    call.signal.throwIfAborted()
    const refusal = this.refusal(call)
    if (refusal) throw refusal
    if (this.#waiting.waitingOf(call.tenant) >= this.#standing.limit) {
      this.#burst.take(call.tenant.id)
    }
    const departure = new AbortController()
    const stopWatching = this.#watchCaller(call, departure)
    try {
      return await this.#enqueue(call, departure, task)
    } finally {
      stopWatching()
    }
  }

  /** The error that `run` would throw now, if any. */
  refusal({ deadline, ...rank }: Claim): ServiceError | undefined {
    if (!this.#hasPlace(rank)) {
      return this.#overloaded(rank, 'Too many calls are waiting. Retry later.')
    }
    if (this.#clock() + this.#expectedWaitMs(rank) >= deadline) {
      return this.#overloaded(
        rank,
        'The service cannot answer within the time allowed. Retry later.',
      )
    }
    return undefined
  }

  /** Starts no further task until `resume`; waiting calls stay. */
  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
    this.#startNext()
  }

  /** Fails every call that waits now. */
  rejectWaiting(error: Error): void {
    for (const call of this.#waiting.entries()) call.fail(error)
  }

  load(): QueueLoad {
    return { waiting: this.#waiting.size, running: this.#running }
  }

  async #enqueue<T>(
    rank: Rank,
    departure: AbortController,
    task: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const queuedAt = performance.now()
    const { signal } = departure
    return new Promise<T>((resolve, reject) => {
      const waiting: WaitingCall = {
        start: () => {
          this.#onStart?.(performance.now() - queuedAt)
          void this.#serve(rank, () => task(signal)).then(resolve, reject)
        },
        fail: (error) => departure.abort(error),
      }
      signal.addEventListener('abort', () => {
        this.#waiting.remove(rank, waiting)
        this.#updateBurst()
        reject(signal.reason as Error)
      })
      if (this.#waiting.size >= this.#limit && !this.#canStart()) this.#makeRoom(rank)
      this.#waiting.add(rank, waiting)
      this.#startNext()
    })
  }

  #canStart(): boolean {
    return !this.#isPaused && this.#running < this.#concurrency
  }

  #startNext(): void {
    while (this.#canStart()) {
      const next = this.#waiting.takeNext(this.#averageServiceMs ?? 0, this.#maxRunning())
      if (!next) break
      this.#running += 1
      next.start()
    }
    this.#updateBurst()
  }

  /** Calls of one tenant that may run. */
  #maxRunning(): number {
    const free = this.#concurrency - this.#running
    if (this.#keepsPlacesFree === 'always') return free
    if (this.#keepsPlacesFree === undefined) return Infinity
    const equalShare = Math.floor(this.#concurrency / Math.max(1, this.#waiting.countTenants()))
    return Math.max(free, equalShare)
  }

  async #serve<T>({ tenant }: Rank, task: () => Promise<T>): Promise<T> {
    const estimateMs = this.#averageServiceMs ?? 0
    const startedAt = performance.now()
    let isAnswered = false
    try {
      const result = await task()
      isAnswered = true
      return result
    } finally {
      const serviceMs = performance.now() - startedAt
      if (isAnswered) this.#learn(serviceMs)
      this.#running -= 1
      this.#waiting.end(tenant, serviceMs - estimateMs)
      this.#startNext()
    }
  }

  #learn(serviceMs: number): void {
    this.#averageServiceMs ??= serviceMs
    this.#averageServiceMs += NEWEST_WEIGHT * (serviceMs - this.#averageServiceMs)
  }

  /** A free slot needs no place; the last place of a full queue belongs to the tenant with the smallest part of it. */
  #hasPlace(rank: Rank): boolean {
    if (this.#canStart() && this.#waiting.size === 0) return true
    if (this.#waiting.size >= this.#limit)
      return this.#waiting.findLongest(rank.tenant) !== undefined
    if (this.#waiting.waitingOf(rank.tenant) < this.#standing.limit) return true
    return (
      this.#burst.isLeft(rank.tenant.id) && this.#expectedWaitMs(rank) <= this.#standing.burstWaitMs
    )
  }

  #makeRoom(rank: Rank): void {
    const longest = this.#waiting.findLongest(rank.tenant)
    longest?.fail(this.#overloaded(rank, 'Too many calls are waiting. Retry later.'))
  }

  #expectedWaitMs(rank: Rank): number {
    const ahead = this.#waiting.countAhead(rank)
    if (ahead === 0 && this.#running < this.#concurrency) return 0
    return ((ahead + 1) * (this.#averageServiceMs ?? 0)) / this.#concurrency
  }

  #updateBurst(): void {
    this.#burst.setFree(this.#waiting.size === 0 && this.#running < this.#concurrency)
  }

  #overloaded(rank: Rank, message: string): ServiceError {
    const seconds = Math.ceil(this.#expectedWaitMs(rank) / 1_000)
    const retryAfterSeconds = Math.min(Math.max(1, seconds), MAX_RETRY_AFTER_SECONDS)
    return new ServiceError('overloaded', message, { retryAfterSeconds })
  }

  /** Aborts `departure` when the caller aborts or the deadline passes, until the returned function is called. */
  #watchCaller(call: InferenceCall, departure: AbortController): () => void {
    const { signal, deadline } = call
    const onAbort = () => departure.abort(signal.reason)
    const onDeadline = () =>
      departure.abort(
        this.#overloaded(call, 'The service did not answer within the time allowed. Retry later.'),
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
