import { readFileSync } from 'node:fs'
import path from 'node:path'

/** What a container or service manager lets this process use; undefined where there is no limit. */
export interface CgroupLimits {
  cores: number | undefined
  memoryBytes: number | undefined
}

/** The limits of the control group of this process (version 2, and 1 as containers show it). */
export function readCgroupLimits(
  root = '/sys/fs/cgroup',
  self = '/proc/self/cgroup',
): CgroupLimits {
  const own = /^0::(?<path>.*)$/m.exec(read(self) ?? '')?.groups?.path ?? '/'
  const cores: (number | undefined)[] = []
  const memory: (number | undefined)[] = []
  // A limit of a group above counts too.
  for (let group = path.join('/', own); ; group = path.dirname(group)) {
    const [quota, period] = (read(path.join(root, group, 'cpu.max')) ?? '').split(/\s+/)
    cores.push(ratio(quota, period))
    memory.push(limit(read(path.join(root, group, 'memory.max'))))
    if (group === '/') break
  }
  cores.push(ratio(read(`${root}/cpu/cpu.cfs_quota_us`), read(`${root}/cpu/cpu.cfs_period_us`)))
  memory.push(limit(read(`${root}/memory/memory.limit_in_bytes`)))
  return { cores: least(cores), memoryBytes: least(memory) }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return undefined
  }
}

/** Version 1 writes no limit as a number near 2^63. */
const NO_LIMIT = 2 ** 60

function limit(text: string | undefined): number | undefined {
  const value = Number(text)
  return text && value > 0 && value < NO_LIMIT ? value : undefined
}

function ratio(quota: string | undefined, period: string | undefined): number | undefined {
  const share = Number(quota) / Number(period)
  return share > 0 && Number.isFinite(share) ? share : undefined
}

function least(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined)
  return known.length > 0 ? Math.min(...known) : undefined
}
