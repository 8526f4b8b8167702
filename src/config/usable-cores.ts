import os from 'node:os'
import { readCgroupLimits } from './cgroup-limits.js'

export interface CoreFacts {
  /** Cores that the system schedules this process on. */
  cores: number
  /** Cores' worth of time that a container or service manager allows; undefined where there is no limit. */
  quota: number | undefined
}

/**
 * Threads that can compute at the same time, at least one. `docker run --cpus` and Kubernetes' limits leave all cores
 * visible and stop the whole process when their time is used up; so part of a core counts for none.
 * Source: https://docs.kernel.org/admin-guide/cgroup-v2.html, cpu.max
 */
export function countUsableCores(
  { cores, quota = cores }: CoreFacts = {
    cores: os.availableParallelism(),
    quota: readCgroupLimits().cores,
  },
): number {
  return Math.max(1, Math.min(cores, Math.floor(quota)))
}
