import { readFileSync } from 'node:fs'

/** Where the limit cannot be read: Node raises it to the system's maximum, which is larger nearly everywhere. */
const ASSUMED = 4_096

/** How many files and sockets the process may open; Node has raised the limit to the hard one. */
export function countUsableDescriptors(limitsFile = '/proc/self/limits'): number {
  try {
    const soft = /^Max open files\s+(?<soft>\d+|unlimited)/m.exec(readFileSync(limitsFile, 'utf8'))
    const count = Number(soft?.groups?.soft)
    return Number.isInteger(count) ? count : ASSUMED
  } catch {
    return ASSUMED
  }
}
