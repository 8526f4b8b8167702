import type { Config } from './config.js'
import type { AppContext } from './context.js'
import { createAdmissionQueue } from './inference/admission-queue.js'
import type { ServiceError } from './errors.js'
import type { InferenceCall, Priority } from './inference/call.js'
import type { Capability } from './organizations/capability.js'

/** A queue that has not been empty for so long is no burst: requests come faster than they are answered. */
const STANDING_AFTER_MS = 1_000

/** Texts that a request for openers has written at the same time. */
const TEXTS_OF_OPENERS = 16

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
 * refusals come before any work is done. A burst may fill the queue to its limit; while it does not empty, no more wait
 * than are worked on, since a longer queue would make everyone wait and serve nobody sooner.
 * Source: "controlled delay", B. Maurer, Fail at Scale, ACM Queue 13(8), 2015
 */
export function createRequestGate(
  { config: { inference }, metrics }: Pick<AppContext, 'config' | 'metrics'>,
  { capability, priority }: { capability: Capability; priority: Priority },
): RequestGate {
  const concurrency = concurrencyOf(priority, inference)
  const queue = createAdmissionQueue({
    concurrency,
    limit: inference.queueLimit,
    standing: { afterMs: STANDING_AFTER_MS, limit: concurrency },
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
      return languageSequences
  }
}
