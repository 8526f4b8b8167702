import type { Config } from '../config/config.js'
import { AdmissionQueue } from '../inference/workers/admission-queue.js'
import type { ServiceError } from '../core/service-error.js'
import type { InferenceCall, Priority } from '../inference/inference-call.js'
import type { Capability } from '../organizations/capability.js'
import type { Tenant } from '../organizations/tenant.js'
import type { Metrics } from '../telemetry/metrics.js'

/** After the queue had room for this long in total, a whole burst is admitted again. */
const BURST_REFILL_MS = 10_000

/** Beyond this wait a client does better to retry, or to ask another instance. */
const BURST_WAIT_MS = 5_000

/** Candidates that a request for three openers, the default, generates in parallel: four of each style. */
const TEXTS_OF_OPENERS = 12

export interface RequestGate {
  /**
   * Runs the work of a request when its turn has come.
   * @throws ServiceError `overloaded` at once when the queue is full
   */
  pass<T>(call: InferenceCall, work: () => Promise<T>): Promise<T>
  /** The error that `pass` would throw now, if any; asked before the body is read. */
  refusal(tenant: Tenant, deadline: number): ServiceError | undefined
}

export interface GateParts {
  config: { inference: Config['inference'] }
  metrics: Metrics
  clock: () => number
}

export interface GateTerms {
  capability: Capability
  priority: Priority
  /** Requests that run at a time. Default: the fewest that keep the models busy. */
  concurrency?: number | undefined
}

/**
 * Limits how many requests of a capability are worked on at a time, and shares the places fairly among tenants. A request is
 * refused before any work is done on it, or served to its end. A burst may fill the queue to its limit, or to five seconds of waiting. Under sustained load as
 * many requests wait as are served: enough to refill the slots of a batch at once, and a longer queue serves nobody sooner.
 */
export function createRequestGate(
  { config: { inference }, metrics, clock }: GateParts,
  { capability, priority, concurrency: given }: GateTerms,
): RequestGate {
  const concurrency = given ?? concurrencyOf(priority, inference)
  const queue = new AdmissionQueue({
    concurrency,
    limit: inference.queueLimit,
    keepsPlacesFree: 'whileShared',
    clock,
    standing: { limit: concurrency, refillMs: BURST_REFILL_MS, burstWaitMs: BURST_WAIT_MS },
  })
  metrics.beforeRead(() => {
    metrics.requestsWaiting.set({ capability }, queue.load().waiting)
    metrics.requestsInProgress.set({ capability }, queue.load().running)
  })
  return {
    refusal: (tenant, deadline) => queue.refusal({ tenant, deadline, priority }),
    pass: (call, work) => {
      const arrivedAt = performance.now()
      return queue.run(call, () => {
        const waitedMs = performance.now() - arrivedAt
        metrics.admissionSeconds.observe({ capability }, waitedMs / 1_000)
        call.onTiming?.('queue', waitedMs)
        return work()
      })
    },
  }
}

/** The fewest requests that keep the models busy; the others wait in order. */
function concurrencyOf(priority: Priority, inference: Config['inference']): number {
  const { matchConcurrency, languageSequences } = inference
  switch (priority) {
    case 'match':
      return matchConcurrency
    case 'openers':
      // One more request analyses its photos in the meantime.
      return Math.ceil(languageSequences / TEXTS_OF_OPENERS) + 1
    case 'batch':
      // The other half serves openers and reasons.
      return Math.ceil(languageSequences / 2)
  }
}
