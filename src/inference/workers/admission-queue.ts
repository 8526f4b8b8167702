import { setMaxListeners } from 'node:events'
import PQueue from 'p-queue'
import { ServiceError } from '../../core/service-error.js'
import { createBurstAllowance } from './burst-allowance.js'
import { PRIORITIES, type InferenceCall, type Priority } from '../call.js'

export interface AdmissionQueueOptions {
  /** Calls that run at the same time. */
  concurrency: number
  /** Calls that may wait; the next one is refused. */
  limit: number
  /**
   * How many of them may always wait; the rest are for bursts, see `createBurstAllowance`, and only while the last of a
   * burst would not wait longer than so.
   */
  standing?: { limit: number; refillMs: number; burstWaitMs: number } | undefined
  /** Called when a call starts, with the milliseconds it waited. */
  onStart?: ((waitedMs: number) => void) | undefined
}

export interface AdmissionQueue {
  /**
   * Runs a task as soon as a slot is free and no call of higher priority waits.
   * The returned promise settles at once when the caller aborts or its deadline passes; the slot stays taken
   * until the task settles, which its signal asks it to do.
   * @throws ServiceError `overloaded` when the queue is full, or the deadline passes or would pass while waiting
   * @throws the abort reason when the caller aborts
   */
  run: <T>(call: InferenceCall, task: (signal: AbortSignal) => Promise<T>) => Promise<T>
  /** What `run` would refuse a call with now; undefined when it would not. */
  refusal: (call: Pick<InferenceCall, 'deadline' | 'priority'>) => ServiceError | undefined
  /** Starts no further task until `resume`; waiting calls stay. */
  pause: () => void
  resume: () => void
  /** Fails every call that waits now. */
  rejectWaiting: (error: Error) => void
  load: () => QueueLoad
}

export interface QueueLoad {
  waiting: number
  running: number
}

/** Weight of the newest service time in the moving average: about the last ten calls count. */
const NEWEST_WEIGHT = 0.2
const MAX_RETRY_AFTER_SECONDS = 60
const MAX_TIMER_MS = 2 ** 31 - 1

/** A bounded queue with priorities that refuses early what it could not serve in time. */
export function createAdmissionQueue(options: AdmissionQueueOptions): AdmissionQueue {
  const { concurrency, onStart } = options
  const queue = new PQueue({ concurrency })
  const waiting = new Set<(reason: unknown) => void>()
  const { limit, standing = { limit, refillMs: 1, burstWaitMs: Infinity } } = options
  const places = options.standing ? limit - standing.limit : 0
  const burst = createBurstAllowance({ places, refillMs: standing.refillMs })
  let averageServiceMs: number | undefined

  function expectedWaitMs(priority: Priority): number {
    const ahead = PRIORITIES.slice(0, PRIORITIES.indexOf(priority) + 1)
      .map((atLeast) => queue.sizeBy({ priority: rank(atLeast) }))
      .reduce((sum, size) => sum + size, 0)
    if (ahead === 0 && queue.pending < concurrency) return 0
    return ((ahead + 1) * (averageServiceMs ?? 0)) / concurrency
  }

  function mayJoin(priority: Priority): boolean {
    if (queue.size < standing.limit) return true
    return queue.size < limit && burst.isLeft() && expectedWaitMs(priority) <= standing.burstWaitMs
  }

  function noteFreeSlots(): void {
    burst.setFree(queue.size === 0 && queue.pending < concurrency)
  }
  queue.on('next', noteFreeSlots)

  function overloaded(priority: Priority, message: string): ServiceError {
    const seconds = Math.ceil(expectedWaitMs(priority) / 1_000)
    const retryAfterSeconds = Math.min(Math.max(1, seconds), MAX_RETRY_AFTER_SECONDS)
    return new ServiceError('overloaded', message, { retryAfterSeconds })
  }

  function refusal({
    deadline,
    priority,
  }: Pick<InferenceCall, 'deadline' | 'priority'>): ServiceError | undefined {
    if (!mayJoin(priority)) {
      return overloaded(priority, 'Too many calls wait for the model. Retry later.')
    }
    if (Date.now() + expectedWaitMs(priority) >= deadline) {
      return overloaded(priority, 'The model cannot answer within the time allowed. Retry later.')
    }
    return undefined
  }

  function checkAdmission(call: InferenceCall): void {
    call.signal.throwIfAborted()
    const error = refusal(call)
    if (error) throw error
  }

  async function measure<T>(task: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    const result = await task()
    const serviceMs = performance.now() - startedAt
    averageServiceMs ??= serviceMs
    averageServiceMs += NEWEST_WEIGHT * (serviceMs - averageServiceMs)
    return result
  }

  async function run<T>(
    call: InferenceCall,
    task: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    checkAdmission(call)
    if (queue.size >= standing.limit) burst.take()
    const { priority } = call
    const queuedAt = performance.now()
    const departure = new AbortController()
    const leave = (reason: unknown) => departure.abort(reason)
    const stopWatching = watchCaller(call, leave, () =>
      overloaded(priority, 'The model did not answer within the time allowed. Retry later.'),
    )
    // Ends with the wait: p-queue would free the slot of a running task, whose worker is still busy.
    const place = new AbortController()
    const giveUpPlace = () => place.abort()
    departure.signal.addEventListener('abort', giveUpPlace)
    try {
      return await new Promise<T>((resolve, reject) => {
        departure.signal.addEventListener('abort', () => reject(departure.signal.reason as Error))
        waiting.add(leave)
        const start = async () => {
          waiting.delete(leave)
          departure.signal.removeEventListener('abort', giveUpPlace)
          onStart?.(performance.now() - queuedAt)
          await measure(() => task(departure.signal)).then(resolve, reject)
        }
        queue.add(start, { priority: rank(priority), signal: place.signal }).catch(reject)
        noteFreeSlots()
      })
    } finally {
      waiting.delete(leave)
      stopWatching()
    }
  }

  return {
    run,
    refusal,
    pause: () => queue.pause(),
    resume: () => void queue.start(),
    rejectWaiting: (error) => waiting.forEach((leave) => leave(error)),
    load: () => ({ waiting: queue.size, running: queue.pending }),
  }
}

/** p-queue starts the highest number first. */
function rank(priority: Priority): number {
  return PRIORITIES.length - PRIORITIES.indexOf(priority)
}

/** Tells once when nobody waits for the call any more; the returned function stops watching. */
function watchCaller(
  { signal, deadline }: InferenceCall,
  leave: (reason: unknown) => void,
  deadlineError: () => Error,
): () => void {
  const onAbort = () => leave(signal.reason)
  const remainingMs = Math.min(deadline - Date.now(), MAX_TIMER_MS)
  const timer = setTimeout(() => leave(deadlineError()), remainingMs)
  // One request may make many calls at a time with its signal: that is no leak.
  setMaxListeners(0, signal)
  signal.addEventListener('abort', onAbort)
  return () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
