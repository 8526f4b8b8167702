export interface BackOffOptions {
  /** Wait before the second restart after a crash; doubles from there. Default 200. */
  crashMs?: number
  /** Wait after the first failed load; doubles from there. Default 1000. */
  loadFailureMs?: number
  /** Longest wait. Default 30 000. */
  maxMs?: number
  /** A worker that served this long before it ended resets the count. Default 60 000. */
  stableMs?: number
}

export type StartFailure = { kind: 'crash'; servedMs: number } | { kind: 'load_failure' }

/**
 * Returns the milliseconds to wait before the next start of a worker; call it once for each failure. None after the first crash,
 * so that it costs only the load time, then exponential.
 */
export function createBackOff(options: BackOffOptions = {}): (failure: StartFailure) => number {
  const { crashMs = 200, loadFailureMs = 1_000, maxMs = 30_000, stableMs = 60_000 } = options
  let failures = 0
  return (failure) => {
    if (failure.kind === 'crash' && failure.servedMs >= stableMs) failures = 0
    const earlier = failures
    failures += 1
    if (failure.kind === 'load_failure') return Math.min(maxMs, loadFailureMs * 2 ** earlier)
    return earlier === 0 ? 0 : Math.min(maxMs, crashMs * 2 ** (earlier - 1))
  }
}
