import { spawnSync } from 'node:child_process'
import { SkippedScenario } from '../skipped-scenario.js'

/**
 * Lowers a resource limit of a running process with `prlimit`.
 * @returns a function that puts the old limit back
 * @throws SkippedScenario where prlimit is missing
 */
export function limitProcess(
  pid: number,
  resource: 'nofile' | 'as' | 'data',
  limit: number,
): { restore: () => void } {
  const before = prlimit(pid, [`--${resource}`, '--noheadings', '--raw', '--output=SOFT']).trim()
  prlimit(pid, [`--${resource}=${limit}:`])
  return { restore: () => void prlimit(pid, [`--${resource}=${before}:`]) }
}

function prlimit(pid: number, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync('prlimit', ['--pid', String(pid), ...args], {
    encoding: 'utf8',
  })
  if (status === 0) return stdout
  throw new SkippedScenario(`prlimit does not work here: ${(error?.message ?? stderr).trim()}`)
}
