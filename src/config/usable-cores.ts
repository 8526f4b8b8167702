import os from 'node:os'
import { readCgroupLimits } from './cgroup-limits.js'

export interface CoreFacts {
  /** Cores that the system may schedule this process on. */
  cores: number
  /** CPU limit of the container or service manager, in cores; undefined if there is none. */
  quota: number | undefined
}

/**
 * Counts the threads that can compute at the same time, at least one. With `docker run --cpus` and Kubernetes limits all
 * cores stay visible, and the whole process is paused when its time is used up; so a fraction of a core does not count.
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
