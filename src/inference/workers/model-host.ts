import { ServiceError } from '../../core/service-error.js'
import { AdmissionQueue, type QueueLoad } from './admission-queue.js'
import type { InferenceCall } from '../inference-call.js'
import { createIdleTimer } from './idle-timer.js'
import type { MethodTable, WorkerInfo } from './protocol.js'
import { WorkerCallError } from './worker-process.js'
import {
  WorkerSupervisor,
  type ModelState,
  type WorkerEvent,
  type WorkerSupervisorOptions,
} from './worker-supervisor.js'

export interface ModelHostOptions extends Omit<WorkerSupervisorOptions, 'onEvent'> {
  /** Calls sent to the worker at the same time, and calls that may wait. */
  queue: { concurrency: number; limit: number }
  /** Ends the worker after this time without a call; the next call starts it again. 0: never. */
  idleUnloadMs: number
  onEvent?: (event: WorkerEvent) => void
  /** Milliseconds a call waited before it was sent to the worker. */
  onWait?: (waitedMs: number) => void
  /** Milliseconds the worker took for a call that it answered. */
  onService?: (method: string, serviceMs: number) => void
}

/** A model that survives the crashes and swaps of its worker process. */
export interface ModelHost<M extends MethodTable> {
  /**
   * Sends a call to the worker in its turn.
   * @throws ServiceError `overloaded`; `model_unavailable` when the worker cannot start or ended during the call
   * @throws WorkerCallError when the worker answers with a failure
   * @throws the abort reason when the caller aborts
   */
  call: <K extends keyof M & string>(
    method: K,
    request: M[K]['request'],
    call: InferenceCall,
  ) => Promise<M[K]['result']>
  /** Like `info` and `load`, this neither wakes an idle worker nor keeps one awake. */
  state: () => ModelState
  /** Information from the last ready worker; undefined before the first is ready. */
  info: () => WorkerInfo | undefined
  load: () => QueueLoad
  /** Why no worker serves: the last failure, for the operator. */
  problem: () => string | undefined
  /** The id of the serving process. */
  pid: () => number | undefined
  /** Resolves when the worker is ready; rejects when this attempt fails, while retries continue. */
  start: () => Promise<void>
  /**
   * Reads the settings again and replaces the worker without losing a call. When the new worker cannot load, rejects with the
   * reason and keeps the old one. Requests made during a swap share one swap after it.
   */
  swap: () => Promise<void>
  /** Refuses waiting and further calls, gives those in flight `limitMs` (default 5000), ends the worker. */
  close: (limitMs?: number) => Promise<void>
}

const MAX_RETRY_AFTER_SECONDS = 60

/** Combines a bounded queue, a supervisor and an idle timer for one model worker; starts no process yet. */
export function createModelHost<M extends MethodTable>(options: ModelHostOptions): ModelHost<M> {
  const { role, log, onEvent, onWait, onService } = options
  const queue = new AdmissionQueue({
    ...options.queue,
    keepsPlacesFree: 'whileShared',
    onStart: onWait,
  })
  queue.pause()
  const supervisor = new WorkerSupervisor<M>({
    ...options,
    onEvent: (event) => {
      if (supervisor.current) queue.resume()
      else queue.pause()
      if (event === 'load_failed') {
        queue.rejectWaiting(unavailable('The model could not be loaded.'))
      }
      idle.touch()
      onEvent?.(event)
    },
  })
  const idle = createIdleTimer({
    idleMs: options.idleUnloadMs,
    isBusy: () => queue.load().running + queue.load().waiting > 0,
    onIdle: () => supervisor.unload(),
  })

  function unavailable(message: string, cause?: unknown): ServiceError {
    const seconds = Math.ceil((supervisor.expectedAt - Date.now()) / 1_000)
    const retryAfterSeconds = Math.min(Math.max(1, seconds), MAX_RETRY_AFTER_SECONDS)
    return new ServiceError('model_unavailable', `${message} Retry later.`, {
      cause,
      retryAfterSeconds,
    })
  }

  function checkAvailable({ deadline }: InferenceCall): void {
    const { state } = supervisor
    if (state === 'closed') throw unavailable('The service is shutting down.')
    if (state === 'failed') throw unavailable('The model could not be loaded.')
    if (state === 'restarting' && supervisor.expectedAt >= deadline) {
      throw unavailable('The model is being restarted.')
    }
  }

  function wake(): void {
    idle.touch()
    // A failed start rejects the waiting calls; nothing else needs it.
    const isNeeded = supervisor.state === 'unloaded' && queue.load().waiting > 0
    if (isNeeded) supervisor.start().catch(() => {})
  }

  async function send<K extends keyof M & string>(
    method: K,
    request: M[K]['request'],
    options: { signal: AbortSignal },
  ): Promise<M[K]['result']> {
    const worker = supervisor.current
    // The queue is paused while no worker serves.
    if (!worker) throw unavailable('The model is being restarted.')
    const startedAt = performance.now()
    const result = await worker.call(method, request, options)
    onService?.(method, performance.now() - startedAt)
    return result
  }

  return {
    async call(method, request, call) {
      checkAvailable(call)
      try {
        const queuedAt = performance.now()
        const answer = queue.run(call, async (signal) => {
          const startedAt = performance.now()
          call.onTiming?.('queue', startedAt - queuedAt)
          const result = await send(method, request, { signal })
          call.onTiming?.(role, performance.now() - startedAt)
          return result
        })
        wake()
        return await answer
      } catch (error) {
        if (!(error instanceof WorkerCallError)) throw error
        if (error.reason === 'exited') throw unavailable('The model was interrupted.', error)
        if (error.reason === 'failed') {
          log.warn('A model call failed', { role, method, reason: error.message })
        }
        throw error
      } finally {
        idle.touch()
      }
    },
    state: () => supervisor.state,
    info: () => supervisor.info,
    load: () => queue.load(),
    problem: () => supervisor.problem,
    pid: () => supervisor.current?.pid,
    start: () => supervisor.start(),
    swap: () => supervisor.swap(),
    close: async (limitMs = 5_000) => {
      idle.stop()
      const closed = supervisor.close(limitMs)
      queue.pause()
      queue.rejectWaiting(unavailable('The service is shutting down.'))
      await closed
    },
  }
}
