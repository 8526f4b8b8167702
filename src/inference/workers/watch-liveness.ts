import { readProcessActivity, type ProcessActivity } from './process-activity.js'

const INTERVAL_MS = 1_000
/** A check that comes later than this says nothing: the server or the whole machine was paused, and the worker perhaps too. */
const MAX_DELAY_MS = 500

/** Checks in a row after which a worker counts as hung. */
const CHECKS = {
  stopped: 3,
  silentAndIdle: 5,
  /** A model that blocks the event loop computes this long at most: a batch of photos of a large model on a slow processor. */
  silent: 30,
  busyWithoutWork: 10,
}
/** Answering pings takes less in ten checks. */
const IDLE_TICKS = 3

export interface LivenessOptions {
  pid: number
  /** Asks the worker's event loop for a pong; undefined while it loads, which may block it for minutes. */
  ping?: (() => void) | undefined
  /** Whether calls are in flight that need the processor. */
  isBusy: () => boolean
  /** Called once, with the reason for the operator. */
  onHung: (reason: string) => void
  /** Default: 1000. */
  intervalMs?: number | undefined
  readActivity?: (pid: number) => ProcessActivity | undefined
}

export interface LivenessWatch {
  /** The worker has answered a ping. */
  pong: () => void
  stop: () => void
}

/**
 * Notices a worker that will not answer any more. An event loop that does not answer proves nothing, since models block it while they
 * compute; a process that neither answers nor uses the processor hangs. One that was stopped by a signal is noticed in three seconds,
 * one that waits for ever in five, one that answers but has done nothing for its calls in ten, one that spins in thirty.
 */
export function watchLiveness(options: LivenessOptions): LivenessWatch {
  const { pid, ping, isBusy, onHung } = options
  const { intervalMs = INTERVAL_MS, readActivity = readProcessActivity } = options
  let checkedAt = performance.now()
  let previous: ProcessActivity | undefined
  let isWaiting = false
  let ticksWhileBusy = 0
  let counts = noChecks()

  function check(): void {
    const now = performance.now()
    const isLate = now - checkedAt > intervalMs + MAX_DELAY_MS
    checkedAt = now
    const activity = readActivity(pid)
    if (isLate) counts = noChecks()
    else count(activity)
    previous = activity
    const reason = findReason()
    if (reason !== undefined) {
      stop()
      return onHung(reason)
    }
    if (isWaiting || !ping) return
    isWaiting = true
    ping()
  }

  function count(activity: ProcessActivity | undefined): void {
    const ticks = activity && previous && activity.processorTicks - previous.processorTicks
    const isReading = activity?.pageReads !== previous?.pageReads
    const isIdle = ticks === 0 && !isReading
    ticksWhileBusy = (counts.busyWithoutWork === 0 ? 0 : ticksWhileBusy) + (ticks ?? Infinity)
    const isBusyWithoutWork = isBusy() && !isReading && ticksWhileBusy < IDLE_TICKS
    counts = {
      stopped: activity?.isStopped ? counts.stopped + 1 : 0,
      silent: isWaiting ? counts.silent + 1 : 0,
      silentAndIdle: isWaiting && isIdle ? counts.silentAndIdle + 1 : 0,
      busyWithoutWork: isBusyWithoutWork ? counts.busyWithoutWork + 1 : 0,
    }
  }

  function findReason(): string | undefined {
    if (counts.stopped >= CHECKS.stopped) return 'it was stopped by a signal'
    if (counts.silentAndIdle >= CHECKS.silentAndIdle) return 'it neither answered nor computed'
    if (counts.silent >= CHECKS.silent) return 'it did not answer'
    if (counts.busyWithoutWork >= CHECKS.busyWithoutWork) return 'it did nothing for its calls'
    return undefined
  }

  const timer = setInterval(check, intervalMs)
  timer.unref()
  const stop = () => clearInterval(timer)
  return {
    stop,
    pong: () => {
      isWaiting = false
    },
  }
}

function noChecks() {
  return { stopped: 0, silent: 0, silentAndIdle: 0, busyWithoutWork: 0 }
}
