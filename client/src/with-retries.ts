import { ConnectionError, ProfileServiceError } from './service-failure.js'

export interface RetryPolicy {
  /** Tries after the first one. */
  retries: number
  /** A longer wait is not worth it: the failure is thrown instead. */
  longestWaitMs: number
  /** Resolves after the time; rejects with the signal's reason when it aborts. */
  sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void>
}

const FIRST_WAIT_MS = 250

/**
 * Tries again after failures that another try can mend: no answer, `rate_limited`, and every 5xx. Waits as long as
 * `Retry-After` says, or twice as long each time with some randomness, so that clients do not come back together.
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  policy: RetryPolicy,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt()
    } catch (error) {
      signal?.throwIfAborted()
      const waitMs = waitAfter(error, failures)
      if (failures >= policy.retries || waitMs > policy.longestWaitMs) throw error
      await policy.sleep(waitMs, signal)
    }
  }
}

/** Infinity when no retry helps. */
function waitAfter(error: unknown, failures: number): number {
  if (error instanceof ConnectionError) return backOff(failures)
  if (!(error instanceof ProfileServiceError)) return Infinity
  if (error.status < 500 && error.code !== 'rate_limited') return Infinity
  if (error.retryAfterSeconds === undefined) return backOff(failures)
  return error.retryAfterSeconds * 1_000
}

function backOff(failures: number): number {
  return Math.round(FIRST_WAIT_MS * 2 ** failures * (1 + Math.random()))
}
