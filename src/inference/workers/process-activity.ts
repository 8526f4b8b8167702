import { readFileSync } from 'node:fs'

/** What the system knows about a process. */
export interface ProcessActivity {
  /** A signal such as SIGSTOP holds it; being traced by a debugger does not count. */
  isStopped: boolean
  /** Hundredths of a second of processor time, over all threads. */
  processorTicks: number
  /** Pages that it waited for the disk to bring. */
  pageReads: number
}

/** Positions in `/proc/<pid>/stat` after the name, which is in parentheses and may hold anything; `man 5 proc`. */
const FIELD = { state: 0, pageReads: 9, userTicks: 11, systemTicks: 12 }

/** Reads the activity of a process; undefined when it has ended, and on systems other than Linux. */
export function readProcessActivity(pid: number): ProcessActivity | undefined {
  let line: string
  try {
    line = readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch {
    return undefined
  }
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return {
    isStopped: fields[FIELD.state] === 'T',
    processorTicks: Number(fields[FIELD.userTicks]) + Number(fields[FIELD.systemTicks]),
    pageReads: Number(fields[FIELD.pageReads]),
  }
}
