import { EngineError } from './engine-error.js'

/** Node's timers fire at once when they are longer. */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Aborts work that takes longer.
 * @param limitMs - may be Infinity
 * @throws EngineError `timeout` when it took longer; the abort reason when `signal` aborts
 */
export async function withLimit<T>(
  limitMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const limited = new AbortController()
  const onAbort = () => limited.abort(signal.reason)
  signal.addEventListener('abort', onAbort)
  const late = new EngineError('timeout', `did not answer within ${limitMs / 1_000} s`)
  const timer = setTimeout(() => limited.abort(late), Math.min(limitMs, MAX_TIMER_MS))
  try {
    return await work(limited.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
