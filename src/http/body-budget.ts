import { ServiceError } from '../core/service-error.js'

/** Bounds the bytes of all request bodies that the process holds at a time. */
export interface BodyBudget {
  /** @throws ServiceError `overloaded` when so many bytes do not fit now; reserves nothing */
  check(bytes: number): void
  /**
   * Opens the share of one body, empty at first; the signal, which aborts at the end of every call, returns it.
   * @throws the abort reason
   */
  open(signal: AbortSignal): BodyShare
}

export interface BodyShare {
  /** @throws ServiceError `overloaded` when the bytes do not fit beside those of others; the abort reason */
  add(bytes: number): void
}

/**
 * Bodies count from the bytes that have arrived until their calls end, the time in a queue included, by their size after
 * decompression: a client that announces a large body and does not send it takes nothing from others. While a body is parsed,
 * memory holds its text and its values as well.
 * @param limitBytes - at least the size of the largest permitted body
 */
export function createBodyBudget(limitBytes: number): BodyBudget {
  let takenBytes = 0
  const check = (bytes: number) => {
    if (takenBytes + bytes > limitBytes) throw bodyBudgetExceeded()
  }
  return {
    check,
    open(signal) {
      signal.throwIfAborted()
      let ownBytes = 0
      signal.addEventListener('abort', () => (takenBytes -= ownBytes), { once: true })
      return {
        add(bytes) {
          signal.throwIfAborted()
          check(bytes)
          takenBytes += bytes
          ownBytes += bytes
        },
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
