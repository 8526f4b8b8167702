import { ServiceError } from '../core/service-error.js'

/** Bounds the bytes of all request bodies that the process holds at a time. */
export interface BodyBudget {
  /**
   * Reserves bytes before a body is read; the signal, which aborts at the end of every call, returns them.
   * @param bytes - expected size of the body
   * @returns a function that adjusts the reservation to the actual size
   * @throws ServiceError `overloaded`, as the returned function does, when the bytes do not fit beside those of others; the
   *   abort reason
   */
  take(bytes: number, signal: AbortSignal): (actualBytes: number) => void
}

/**
 * Bodies count from before they are read until their calls end, the time in a queue included, by their size after
 * decompression. While a body is parsed, memory holds its text and its values as well.
 * @param limitBytes - at least the size of the largest permitted body
 */
export function createBodyBudget(limitBytes: number): BodyBudget {
  let takenBytes = 0
  return {
    take(bytes, signal) {
      signal.throwIfAborted()
      let own = 0
      const resizeTo = (wanted: number) => {
        if (wanted > own && takenBytes - own + wanted > limitBytes) throw bodyBudgetExceeded()
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

function bodyBudgetExceeded(): ServiceError {
  return new ServiceError(
    'overloaded',
    'The service is reading too many large requests. Retry later.',
    { retryAfterSeconds: 5 },
  )
}
