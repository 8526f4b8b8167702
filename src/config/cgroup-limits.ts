import { readFileSync } from 'node:fs'
import path from 'node:path'

/** Resources that a container or service manager allows this process; undefined where there is no limit. */
export interface CgroupLimits {
  cores: number | undefined
  memoryBytes: number | undefined
}

/** Reads the limits of this process's control group (version 2, and version 1 as containers mount it). */
export function readCgroupLimits(
  root = '/sys/fs/cgroup',
  self = '/proc/self/cgroup',
): CgroupLimits {
  const own = /^0::(?<path>.*)$/m.exec(read(self) ?? '')?.groups?.path ?? '/'
  const cores: (number | undefined)[] = []
  const memory: (number | undefined)[] = []
  // Limits of parent groups apply too.
  for (let group = path.join('/', own); ; group = path.dirname(group)) {
    const [quota, period] = (read(path.join(root, group, 'cpu.max')) ?? '').split(/\s+/)
    cores.push(toCores(quota, period))
    memory.push(toBytes(read(path.join(root, group, 'memory.max'))))
    if (group === '/') break
  }
  cores.push(toCores(read(`${root}/cpu/cpu.cfs_quota_us`), read(`${root}/cpu/cpu.cfs_period_us`)))
  memory.push(toBytes(read(`${root}/memory/memory.limit_in_bytes`)))
  return { cores: minimum(cores), memoryBytes: minimum(memory) }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return undefined
  }
}

/** Version 1 shows "no limit" as a number near 2^63. */
const NO_LIMIT = 2 ** 60

function toBytes(text: string | undefined): number | undefined {
  const value = Number(text)
  return text && value > 0 && value < NO_LIMIT ? value : undefined
}

function toCores(quota: string | undefined, period: string | undefined): number | undefined {
  const cores = Number(quota) / Number(period)
  return cores > 0 && Number.isFinite(cores) ? cores : undefined
}

function minimum(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined)
  return known.length > 0 ? Math.min(...known) : undefined
}
