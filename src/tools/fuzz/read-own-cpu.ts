import process from 'node:process'

/** Processor time of this process in milliseconds. */
export function readOwnCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
