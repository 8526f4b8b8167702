import { readFileSync, readdirSync } from 'node:fs'

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
