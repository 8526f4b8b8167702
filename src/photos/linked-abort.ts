import { setMaxListeners } from 'node:events'

/** A controller that also aborts when any of its parents does, with the same reason. */
export interface LinkedAbort {
  signal: AbortSignal
  abort(reason: unknown): void
  /** Removes the listeners; without it a long-lived parent keeps the controller in memory. */
  unlink(): void
}

// NOTE: AbortSignal.any does not do: on Node 20 its signals can be garbage collected before they abort, and they accumulate on
// a long-lived parent.
export function linkAbort(...parents: AbortSignal[]): LinkedAbort {
  const controller = new AbortController()
  // Ten photos listen to one signal at a time, which is no leak.
  setMaxListeners(0, controller.signal, ...parents)
  const follow = (event: Event) => controller.abort((event.target as AbortSignal).reason)
  for (const parent of parents) {
    if (parent.aborted) controller.abort(parent.reason)
    parent.addEventListener('abort', follow, { once: true })
  }
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    unlink: () => parents.forEach((parent) => parent.removeEventListener('abort', follow)),
  }
}
