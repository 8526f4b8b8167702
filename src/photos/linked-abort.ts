import { setMaxListeners } from 'node:events'

/** A controller that also aborts, with the same reason, when any of its parents does. */
export interface LinkedAbort {
  signal: AbortSignal
  abort(reason: unknown): void
  /** Ends the links; to be called once the work is over, or long-lived parents hold on to it. */
  unlink(): void
}

// NOTE: not AbortSignal.any: on Node 20 its signals can be garbage collected before they abort, and they
// pile up on a parent that lives long.
export function linkAbort(...parents: AbortSignal[]): LinkedAbort {
  const controller = new AbortController()
  // Ten photos at a time listen to one signal: that is no leak to warn of.
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
