export interface IdleTimer {
  /** Restarts the idle time. */
  touch: () => void
  stop: () => void
}

/**
 * Calls `onIdle` once when `idleMs` have passed since the last `touch` and `isBusy` is false. With `idleMs` 0 it never does.
 */
export function createIdleTimer(options: {
  idleMs: number
  isBusy: () => boolean
  onIdle: () => void
}): IdleTimer {
  const { idleMs, isBusy, onIdle } = options
  let touchedAt = 0
  let timer: NodeJS.Timeout | undefined

  // One timer that checks the last touch is cheaper than a new timer for every call.
  function check(): void {
    timer = undefined
    const remainingMs = touchedAt + idleMs - performance.now()
    if (remainingMs > 0 || isBusy()) schedule(Math.max(remainingMs, idleMs / 2))
    else onIdle()
  }

  function schedule(delayMs: number): void {
    timer = setTimeout(check, Math.ceil(delayMs)).unref()
  }

  return {
    touch: () => {
      touchedAt = performance.now()
      if (idleMs > 0 && !timer) schedule(idleMs)
    },
    stop: () => clearTimeout(timer),
  }
}
