import type { Log } from '../../telemetry/log.js'
import type { WorkerRole } from './protocol.js'
import { readResidentMemory } from './resident-memory.js'

const INTERVAL_MS = 5_000

export interface MemoryWatchOptions {
  role: WorkerRole
  /** Resident memory in bytes above which a worker is replaced; undefined: no limit. */
  limitBytes: number | undefined
  /** The id of the serving process. */
  pid: () => number | undefined
  /** Replaces the worker without losing a call. */
  replace: () => Promise<void>
  /** Called before the worker is replaced. */
  onOutgrown: () => void
  log: Log
  /** Default: 5000. */
  intervalMs?: number
}

/**
 * Replaces a worker that grows beyond the limit: native libraries return little memory, and the system kills large processes. A
 * worker that exceeds the limit from the start stays, since its successor would exceed it too.
 * @returns stops watching
 */
export function watchMemory(options: MemoryWatchOptions): () => void {
  const { role, limitBytes, pid, replace, onOutgrown, log, intervalMs = INTERVAL_MS } = options
  if (limitBytes === undefined) return () => {}
  let known: { pid: number; exceedsFromStart: boolean } | undefined
  let isReplacing = false

  async function check(limit: number): Promise<void> {
    const current = pid()
    const bytes = current === undefined ? undefined : readResidentMemory(current)
    if (isReplacing || current === undefined || bytes === undefined) return
    const isNew = known?.pid !== current
    if (isNew) known = { pid: current, exceedsFromStart: bytes > limit }
    if (bytes <= limit) return
    if (known?.exceedsFromStart) {
      if (isNew) log.warn('A model worker needs more memory than its limit', { role, pid: current })
      return
    }
    isReplacing = true
    log.warn('A model worker has outgrown its memory limit and is replaced', { role, pid: current })
    onOutgrown()
    // When the new worker cannot load, the old one stays and the next check tries again.
    await replace().catch(() => {})
    isReplacing = false
  }

  const timer = setInterval(() => void check(limitBytes), intervalMs)
  timer.unref()
  return () => clearInterval(timer)
}
