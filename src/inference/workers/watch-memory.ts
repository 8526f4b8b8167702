import type { Log } from '../../telemetry/log.js'
import type { WorkerRole } from './protocol.js'
import { readResidentMemory } from './resident-memory.js'

const INTERVAL_MS = 5_000

export interface MemoryWatchOptions {
  role: WorkerRole
  /** Bytes of resident memory above which a worker is replaced; undefined: it may take what it wants. */
  limitBytes: number | undefined
  /** The process that serves now. */
  pid: () => number | undefined
  /** Replaces it without losing a call. */
  replace: () => Promise<void>
  /** Told before it is replaced. */
  onOutgrown: () => void
  log: Log
  /** Default: 5000. */
  intervalMs?: number
}

/**
 * Replaces a worker that has grown beyond the limit: native libraries give little back to the system, and the system ends
 * what takes too much. One that is beyond it from the start stays, since the next would be too.
 * @returns ends the watch
 */
export function watchMemory(options: MemoryWatchOptions): () => void {
  const { role, limitBytes, pid, replace, onOutgrown, log, intervalMs = INTERVAL_MS } = options
  if (limitBytes === undefined) return () => {}
  let known: { pid: number; isHopeless: boolean } | undefined
  let isReplacing = false

  async function check(limit: number): Promise<void> {
    const current = pid()
    const bytes = current === undefined ? undefined : readResidentMemory(current)
    if (isReplacing || current === undefined || bytes === undefined) return
    const isNew = known?.pid !== current
    if (isNew) known = { pid: current, isHopeless: bytes > limit }
    if (bytes <= limit) return
    if (known?.isHopeless) {
      if (isNew) log.warn('A model worker needs more memory than its limit', { role, pid: current })
      return
    }
    isReplacing = true
    log.warn('A model worker has outgrown its memory limit and is replaced', { role, pid: current })
    onOutgrown()
    // When the new one cannot load, the old one goes on, and this tries again.
    await replace().catch(() => {})
    isReplacing = false
  }

  const timer = setInterval(() => void check(limitBytes), intervalMs)
  timer.unref()
  return () => clearInterval(timer)
}
