import type { ChildProcess } from 'node:child_process'
import os from 'node:os'
import { getSystemErrorName } from 'node:util'
import type { Log } from '../../telemetry/log.js'

/** A third of the server's weight when both want a core. */
const NICENESS = 5

/**
 * Lowers the priority of a worker, so that the server stays responsive while models compute. Call it right after the start, since
 * threads inherit the priority of their creator. If the system forbids it, the priority stays.
 */
export function lowerWorkerPriority({ pid }: ChildProcess, log: Log): void {
  try {
    const niceness = Math.min(os.getPriority() + NICENESS, os.constants.priority.PRIORITY_LOW)
    if (pid !== undefined) os.setPriority(pid, niceness)
  } catch (error) {
    const reason = getSystemErrorName((error as { errno: number }).errno)
    // The process has ended already, which its exit reports.
    if (reason === 'ESRCH') return
    log.warn('A model worker keeps the priority of the server', { pid, reason })
  }
}
