import { existsSync, readFileSync, readdirSync } from 'node:fs'
import process from 'node:process'

/** Of /proc, the same on all common machines. */
const TICKS_PER_SECOND = 100

/**
 * Process ids of a running service by role. Linux only.
 * @param {number} serverPid
 * @returns {Record<'server' | 'vision' | 'language', number>}
 */
export function findProcesses(serverPid) {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const childOfRole = (/** @type {string} */ role) =>
    processes.find((pid) => {
      const file = (/** @type {string} */ name) => readFileSync(`/proc/${pid}/${name}`, 'utf8')
      try {
        const parent = Number(/^PPid:\s+(\d+)$/m.exec(file('status'))?.[1])
        return parent === serverPid && file('cmdline').includes(`${role}-worker.js`)
      } catch {
        // It has ended since it was listed.
        return false
      }
    })
  return {
    server: serverPid,
    vision: Number(childOfRole('vision')),
    language: Number(childOfRole('language')),
  }
}

/** Megabytes of physical memory that a process holds. */
export function residentMb(/** @type {number} */ pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024
}

/** Seconds of processor time that all threads of a process have used; NaN when it has ended. Linux only. */
export function cpuSeconds(/** @type {number} */ pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Fields 14 and 15, user and system; the second is a name in brackets that may hold spaces.
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
 * Watches what this process, which makes the load, and those of a service compute with.
 * @param {number} serverPid
 * @returns {() => Record<string, number>} the cores that each has used on average since; on Linux, elsewhere of the
 *   generator only
 */
export function watchCores(serverPid) {
  const pids = existsSync('/proc') ? findProcesses(serverPid) : {}
  const read = () => {
    const { user, system } = process.cpuUsage()
    const service = Object.entries(pids).map(([role, pid]) => [role, cpuSeconds(pid)])
    return { generator: (user + system) / 1e6, ...Object.fromEntries(service) }
  }
  const before = read()
  const startedAt = performance.now()
  return () => {
    const seconds = (performance.now() - startedAt) / 1_000
    const used = Object.entries(read())
    return Object.fromEntries(used.map(([name, after]) => [name, (after - before[name]) / seconds]))
  }
}
