import type { Config } from '../config/config.js'
import type { AppContext } from '../context.js'
import { createAdmissionQueue } from '../inference/workers/admission-queue.js'
import type { ServiceError } from '../core/service-error.js'
import type { InferenceCall, Priority } from '../inference/call.js'
import type { Capability } from '../organizations/capability.js'

/** With room for one more for so long altogether, a whole burst may come again. */
const BURST_REFILL_MS = 10_000

/** Who would wait longer behind others of a burst is better served by a retry, or by another instance. */
const BURST_WAIT_MS = 5_000

/** Texts that a request for three openers, the default, has written at the same time: four candidates of each. */
const TEXTS_OF_OPENERS = 12

export interface RequestGate {
  /**
   * Works on a request when its turn has come.
   * @throws ServiceError `overloaded` at once when too many wait already
   */
  pass<T>(call: InferenceCall, work: () => Promise<T>): Promise<T>
  /** What `pass` would refuse a request with now, undefined when it would not: asked before its body is read. */
  refusal(deadline: number): ServiceError | undefined
}

/**
 * Lets so many requests of a capability at the models at a time, so that one that has begun is carried to its end:
 * refusals come before any work is done. A burst may fill the queue to its limit, or to five seconds of waiting; under
 * lasting load as many wait as are worked on, so that the slots of a batch are filled again at once: a longer queue would
 * serve nobody sooner.
 */
export function createRequestGate(
  { config: { inference }, metrics }: Pick<AppContext, 'config' | 'metrics'>,
  { capability, priority }: { capability: Capability; priority: Priority },
): RequestGate {
  const concurrency = concurrencyOf(priority, inference)
  const queue = createAdmissionQueue({
    concurrency,
    limit: inference.queueLimit,
    standing: { limit: concurrency, refillMs: BURST_REFILL_MS, burstWaitMs: BURST_WAIT_MS },
  })
  metrics.beforeRead(() => {
    metrics.requestsWaiting.set({ capability }, queue.load().waiting)
    metrics.requestsInProgress.set({ capability }, queue.load().running)
  })
  return {
    refusal: (deadline) => queue.refusal({ deadline, priority }),
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

/** As few as keep the models busy: what is begun later is not answered later, and waits in order. */
function concurrencyOf(priority: Priority, inference: Config['inference']): number {
  const { matchConcurrency, languageSequences } = inference
  switch (priority) {
    case 'match':
      return matchConcurrency
    case 'openers':
      // One more, whose photos are looked at meanwhile.
      return Math.ceil(languageSequences / TEXTS_OF_OPENERS) + 1
    case 'batch':
      // The other half is for texts of openers and reasons.
      return Math.ceil(languageSequences / 2)
  }
}
