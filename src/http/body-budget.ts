import { ServiceError } from '../core/service-error.js'

/** How much of all bodies the process may hold at a time. */
export interface BodyBudget {
  /**
   * Takes bytes before a body is read, until the signal aborts, as it does at the end of every call.
   * @param bytes - what the body is expected to have
   * @returns to be told how many it has: gives back the rest, or takes what is missing
   * @throws ServiceError `overloaded`, as the returned function does, when others hold so much that these do not fit; the
   *   abort reason
   */
  take(bytes: number, signal: AbortSignal): (actualBytes: number) => void
}

/**
 * Bounds the bytes of all bodies from before they are read until their calls end, waiting for their turn included. They
 * count as sent and unpacked: while one is parsed, memory holds its text and its values beside them.
 * @param limitBytes - no less than the largest body, or that one is never let in
 */
export function createBodyBudget(limitBytes: number): BodyBudget {
  let takenBytes = 0
  return {
    take(bytes, signal) {
      signal.throwIfAborted()
      let own = 0
      const resizeTo = (wanted: number) => {
        if (wanted > own && takenBytes - own + wanted > limitBytes) throw tooMuchInHand()
        takenBytes += wanted - own
        own = wanted
      }
      resizeTo(bytes)
      signal.addEventListener('abort', () => resizeTo(0), { once: true })
      return (actualBytes) => {
        if (!signal.aborted) resizeTo(actualBytes)
      }
    },
  }
}

function tooMuchInHand(): ServiceError {
  return new ServiceError(
    'overloaded',
    'The service has too many large requests in hand. Retry later.',
    { retryAfterSeconds: 5 },
  )
}
