import { readFileSync } from 'node:fs'

/** Resident memory of a process in bytes; undefined when it has ended, and on systems without `/proc`. */
export function readResidentMemory(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const kilobytes = Number(/^VmRSS:\s+(?<kilobytes>\d+) kB$/m.exec(status)?.groups?.kilobytes)
    return Number.isFinite(kilobytes) ? kilobytes * 1_024 : undefined
  } catch {
    return undefined
  }
}
