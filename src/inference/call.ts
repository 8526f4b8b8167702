import type { WorkerRole } from './workers/protocol.js'

/** Order in which waiting calls are served: a feed waits for matches, a person for openers, nobody for batches. */
export const PRIORITIES = ['match', 'openers', 'batch'] as const
export type Priority = (typeof PRIORITIES)[number]

/** How a model call is made on behalf of a request. */
export interface InferenceCall {
  /** Aborts the call; a generation stops after the current token. */
  signal: AbortSignal
  /** Milliseconds since the epoch after which nobody waits for the answer any more; `Infinity`: `signal` tells it. */
  deadline: number
  priority: Priority
  /** Told how long each part took, for the times a request's answer names. */
  onTiming?: ((stage: TimedStage, ms: number) => void) | undefined
}

/** What the time of a request is spent on: waiting for its turn, or a model. */
export type TimedStage = 'queue' | WorkerRole

/** A call the service makes for itself while it gets ready; nobody waits for it, and nothing overtakes a request. */
export function startUpCall(): InferenceCall {
  const limitMs = 10 * 60_000
  return { signal: AbortSignal.timeout(limitMs), deadline: Date.now() + limitMs, priority: 'batch' }
}
