import type { Response } from 'express'
import { ServiceError } from '../core/service-error.js'

/** Follows the client: gone, out of time or answered, the signal aborts and with it everything done on its behalf. */
export function abortWithClient(response: Response) {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let timedOut = false
  response.once('close', () => {
    if (!response.writableFinished) controller.abort()
  })
  return {
    signal: controller.signal,
    /**
     * To be called when the request is here: how long it took to arrive is up to the client.
     * @returns when the time is over, in milliseconds since the epoch
     */
    startTimer: (timeoutMs: number): number => {
      timer = setTimeout(() => {
        timedOut = true
        controller.abort()
      }, timeoutMs)
      return Date.now() + timeoutMs
    },
    timedOut: () => timedOut,
    /** To be called with the answer out: where one part failed, others may go on that nobody needs any more. */
    end: () => {
      clearTimeout(timer)
      controller.abort()
    },
  }
}

/** What a call that ran out of time answers, whatever it was doing. */
export function timeoutError(cause: unknown): ServiceError {
  return new ServiceError(
    'overloaded',
    'The service had no time to finish this call. Retry later.',
    {
      cause,
      retryAfterSeconds: 5,
    },
  )
}
