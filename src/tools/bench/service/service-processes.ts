import { existsSync, readFileSync, readdirSync } from 'node:fs'
import process from 'node:process'
import type { WorkerRole } from '../../../inference/workers/protocol.js'

/** USER_HZ, the same on all common machines. */
const TICKS_PER_SECOND = 100

/** Names of the compiled entries, which identify the workers among the children of the server. */
const WORKER_ENTRIES: Record<WorkerRole, string> = {
  vision: 'vision-worker.js',
  language: 'language-worker.js',
}

export type ServiceRole = 'server' | WorkerRole
export const SERVICE_ROLES: readonly ServiceRole[] = ['server', 'vision', 'language']

/** Finds the process ids of a running service, NaN for a worker that does not run. Linux only. */
export function findProcesses(serverPid: number): Record<ServiceRole, number> {
  return {
    server: serverPid,
    vision: findChild(serverPid, WORKER_ENTRIES.vision),
    language: findChild(serverPid, WORKER_ENTRIES.language),
  }
}

function findChild(parentPid: number, entry: string): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const pid = pids.find((candidate) => {
    try {
      const status = readFileSync(`/proc/${candidate}/status`, 'utf8')
      if (Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1]) !== parentPid) return false
      return readFileSync(`/proc/${candidate}/cmdline`, 'utf8').includes(entry)
    } catch {
      // The process ended after it was listed.
      return false
    }
  })
  return pid === undefined ? Number.NaN : Number(pid)
}

/** Physical memory of a process in megabytes. Linux only. */
export function readResidentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024
}

/** Processor seconds used by all threads of a process; NaN if it has ended. Linux only. */
export function readCpuSeconds(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Fields 14 and 15, user and system. The second field is a name in parentheses that may contain spaces.
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
    return (Number(user) + Number(system)) / TICKS_PER_SECOND
  } catch {
    return Number.NaN
  }
}

/**
 * Starts to measure the processor use of this process, which generates the load, and of a service.
 * @returns ends the measurement with the mean number of cores in use by process; outside Linux of the generator only
 */
export function watchCores(serverPid: number): () => Record<string, number> {
  const pids = existsSync('/proc') ? Object.entries(findProcesses(serverPid)) : []
  const read = (): [name: string, seconds: number][] => {
    const { user, system } = process.cpuUsage()
    const service = pids.map(([role, pid]): [string, number] => [role, readCpuSeconds(pid)])
    return [['generator', (user + system) / 1e6], ...service]
  }
  const before = new Map(read())
  const startedAt = performance.now()
  return () => {
    const seconds = (performance.now() - startedAt) / 1_000
    return Object.fromEntries(
      read().map(([name, after]) => [name, (after - before.get(name)!) / seconds]),
    )
  }
}
