import type { ChildProcess } from 'node:child_process'
import os from 'node:os'
import { getSystemErrorName } from 'node:util'
import type { Log } from '../../telemetry/log.js'

/** Above the server's: a third of the weight that it has where both want a core. */
const NICENESS = 5

/**
 * Lowers the priority of a worker, so that the server refuses and answers while models compute. To be called at once
 * after its start, since each thread takes over the priority of its maker. Where the system forbids it, the worker
 * goes on as it is.
 */
export function giveWayToServer({ pid }: ChildProcess, log: Log): void {
  try {
    const niceness = Math.min(os.getPriority() + NICENESS, os.constants.priority.PRIORITY_LOW)
    if (pid !== undefined) os.setPriority(pid, niceness)
  } catch (error) {
    const reason = getSystemErrorName((error as { errno: number }).errno)
    // It has ended already, which its exit tells.
    if (reason === 'ESRCH') return
    log.warn('A model worker keeps the priority of the server', { pid, reason })
  }
}
