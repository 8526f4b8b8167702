import { ServiceError } from '../../../core/service-error.js'
import type { Log } from '../../../telemetry/log.js'
import { describePacks } from '../../encoder/vision-properties.js'
import type { VisionMethods } from '../../encoder/vision.js'
import type { VisionSettings } from '../../encoder/vision-settings.js'
import { AdmissionQueue } from '../../workers/admission-queue.js'
import type { ModelHost } from '../../workers/model-host.js'
import type { WorkerInfo } from '../../workers/protocol.js'
import { WorkerCallError } from '../../workers/worker-process.js'
import type { ModelState, WorkerEvent } from '../../workers/worker-supervisor.js'
import { createEngineClient } from '../engine-client.js'
import { EngineError } from '../engine-error.js'
import { EnginePool } from '../engine-pool.js'
import type { EngineLoad, EngineReport } from '../engine-report.js'
import type { PoolTimes } from '../pooled-engine.js'
import { reportVisionEngine } from '../report-vision-engine.js'
import { createVisionClient, type VisionClient } from './vision-client.js'

export interface RemoteVisionOptions {
  urls: readonly string[]
  apiKey: string | undefined
  concurrency: number
  /** The packs that the workers must have. Read at every start and swap. */
  packs: () => Promise<Pick<VisionSettings, 'clip' | 'photoSafety' | 'bioSafety' | 'match'>>
  log: Log
  report?: EngineReport | undefined
  onEvent?: (event: WorkerEvent) => void
  /** See `ModelHostOptions`. */
  onWait?: (waitedMs: number) => void
  onService?: (method: string, serviceMs: number) => void
  times?: Partial<PoolTimes> | undefined
}

export interface RemoteVision extends ModelHost<VisionMethods> {
  /** Workers that serve, of all. */
  serving: () => { count: number; of: number }
  engines: () => EngineLoad[]
}

/** Workers with one revision of the models. */
interface Fleet {
  info: WorkerInfo
  pool: EnginePool<VisionClient>
  clients: VisionClient[]
}

/** Decoding and ten photos on one core that others share take seconds. */
const ATTEMPT_MS = 30_000
const RETRY_MS = 5_000
const RETRY_AFTER_SECONDS = 2

/** The vision model on other machines, each running `vision-worker`: a host without a process of its own. */
export function createRemoteVision(options: RemoteVisionOptions): RemoteVision {
  const { urls, apiKey, concurrency, log, onEvent, onWait, onService } = options
  const queue = new AdmissionQueue({
    concurrency,
    limit: Number.POSITIVE_INFINITY,
    keepsPlacesFree: 'whileShared',
    onStart: onWait,
  })
  const fleets = new Set<Fleet>()
  let current: Fleet | undefined
  let failure: string | undefined
  let starting: Promise<void> | undefined
  let retry: NodeJS.Timeout | undefined
  let isClosed = false

  async function openFleet(): Promise<Fleet> {
    const { packs, properties } = describePacks(await options.packs())
    const clients = urls.map((url) => {
      const client = createEngineClient({ baseUrl: url, apiKey, connections: concurrency })
      return createVisionClient({ name: url, client, revision: properties.revision })
    })
    const pool = new EnginePool<VisionClient>({
      engines: clients,
      verify: (client, signal) => client.verify(signal),
      check: (client, signal) => client.check(signal),
      report: options.report,
      times: { attemptMs: ATTEMPT_MS, ...options.times },
      onChange: ({ name }, change) => reportVisionEngine(log, name, change),
    })
    const info: WorkerInfo = {
      packs,
      properties,
      device: 'workers',
      threads: 0,
      isolation: {
        ownNetwork: false,
        filtered: false,
        reason: 'the models run on other machines',
      },
    }
    const fleet = { info, pool, clients }
    fleets.add(fleet)
    try {
      await pool.start()
    } catch (error) {
      closeFleet(fleet)
      throw error
    }
    if (isClosed) closeFleet(fleet)
    return fleet
  }

  function closeFleet(fleet: Fleet): void {
    fleets.delete(fleet)
    fleet.pool.close()
    for (const client of fleet.clients) client.close()
  }

  async function launch(): Promise<void> {
    clearTimeout(retry)
    try {
      current = await openFleet()
      failure = undefined
      onEvent?.('started')
    } catch (error) {
      failure = error instanceof Error ? error.message : 'unknown'
      if (!isClosed) {
        log.error('No vision worker can serve', { role: 'vision', reason: failure })
        retry = setTimeout(
          () => void start().catch(() => {}),
          options.times?.maxRetryMs ?? RETRY_MS,
        )
        onEvent?.('load_failed')
      }
      throw error
    }
  }

  function start(): Promise<void> {
    if (current) return Promise.resolve()
    starting ??= launch().finally(() => (starting = undefined))
    return starting
  }

  function state(): ModelState {
    if (isClosed) return 'closed'
    if (current) return current.pool.state
    return starting ? 'starting' : failure === undefined ? 'unloaded' : 'failed'
  }

  function unavailable(message: string, cause?: unknown): ServiceError {
    const retryAfterSeconds = RETRY_AFTER_SECONDS
    return new ServiceError('model_unavailable', message, { cause, retryAfterSeconds })
  }

  return {
    call: async (method, request, call) => {
      if (isClosed || current?.pool.state !== 'ready') {
        throw unavailable('The vision model is not available. Retry later.')
      }
      const queuedAt = performance.now()
      return queue.run(call, async (signal) => {
        const startedAt = performance.now()
        call.onTiming?.('queue', startedAt - queuedAt)
        // A swap may have come while the call waited.
        const { pool } = current!
        try {
          const result = await pool.run(
            (client, limited) => client.call(method, request, limited),
            { signal, deadline: call.deadline },
          )
          const tookMs = performance.now() - startedAt
          onService?.(method, tookMs)
          call.onTiming?.('vision', tookMs)
          return result
        } catch (error) {
          if (error instanceof WorkerCallError || !(error instanceof EngineError)) throw error
          if (error.failure === 'busy') {
            throw new ServiceError('overloaded', 'The vision workers are busy. Retry later.', {
              cause: error,
            })
          }
          log.warn('A model call failed', { role: 'vision', method, reason: error.message })
          throw unavailable('The model could not answer. Retry later.', error)
        }
      })
    },
    state,
    info: () => current?.info,
    load: () => queue.load(),
    problem: () => (current ? current.pool.problem : failure),
    pid: () => undefined,
    start,
    swap: async () => {
      await starting?.catch(() => {})
      if (!current) return start()
      const before = current
      try {
        current = await openFleet()
      } catch (error) {
        onEvent?.('swap_failed')
        throw error
      }
      onEvent?.('swapped')
      // Calls in flight end within the time of an attempt.
      setTimeout(() => closeFleet(before), 2 * ATTEMPT_MS).unref()
    },
    close: async () => {
      isClosed = true
      clearTimeout(retry)
      queue.rejectWaiting(unavailable('The service is shutting down. Retry later.'))
      for (const fleet of fleets) closeFleet(fleet)
    },
    serving: () => ({ count: current?.pool.serving ?? 0, of: urls.length }),
    engines: () => current?.pool.load ?? urls.map(() => ({ isServing: false, inFlight: 0 })),
  }
}
