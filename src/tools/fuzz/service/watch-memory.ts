import {
  findProcesses,
  readResidentMb,
  SERVICE_ROLES,
  type ServiceRole,
} from '../../bench/service/service-processes.js'

const INTERVAL_MS = 500

/** Resident memory of a process in megabytes. */
export interface MemoryReport {
  process: ServiceRole
  firstMb: number
  /** After half of the samples. */
  middleMb: number
  lastMb: number
  peakMb: number
}

/** Samples the memory of the processes of a service. Returns the end of it. Linux only. */
export function watchMemory(serverPid: number): () => MemoryReport[] {
  const samples = new Map<ServiceRole, number[]>(SERVICE_ROLES.map((role) => [role, []]))
  const sample = () => {
    for (const [role, pid] of Object.entries(findProcesses(serverPid))) {
      const megabytes = readMemory(pid)
      if (megabytes > 0) samples.get(role as ServiceRole)?.push(megabytes)
    }
  }
  sample()
  const timer = setInterval(sample, INTERVAL_MS)
  return () => {
    clearInterval(timer)
    sample()
    return [...samples].map(([process, megabytes]) => ({
      process,
      firstMb: Math.round(megabytes[0] ?? 0),
      middleMb: Math.round(megabytes[Math.floor(megabytes.length / 2)] ?? 0),
      lastMb: Math.round(megabytes.at(-1) ?? 0),
      peakMb: Math.round(Math.max(0, ...megabytes)),
    }))
  }
}

/** 0 for a process that does not run. */
function readMemory(pid: number): number {
  try {
    return readResidentMb(pid)
  } catch {
    return 0
  }
}
