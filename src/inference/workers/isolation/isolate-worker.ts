import { openSync } from 'node:fs'
import { buildSeccompFilter } from './seccomp-filter.js'
import { installSeccompFilter } from './install-seccomp-filter.js'
import type { WorkerIsolation } from './worker-isolation.js'
import { OWN_NETWORK_ARGUMENT } from './isolated-command.js'

export interface IsolationRequest {
  /** Devices of a GPU are opened for writing while models run. */
  usesGpu: boolean
}

/**
 * Takes from this process what models do not need, for as long as it lives. Call it when the models are loaded and before the first
 * request: loading starts a process and opens devices. Never throws; the answer says what is in place.
 */
export async function isolateWorker({ usesGpu }: IsolationRequest): Promise<WorkerIsolation> {
  const ownNetwork = process.argv.includes(OWN_NETWORK_ARGUMENT)
  const reason = await filterSystemCalls(usesGpu)
  return { ownNetwork, filtered: reason === undefined, reason }
}

/** @returns the reason why calls are not filtered */
async function filterSystemCalls(usesGpu: boolean): Promise<string | undefined> {
  const { platform, arch: processor } = process
  if (platform !== 'linux') return `not available on ${platform}`
  if (processor !== 'x64' && processor !== 'arm64') return `not available on ${processor}`
  try {
    const program = buildSeccompFilter({ processor, pid: process.pid, usesGpu })
    await installSeccompFilter(program, processor)
  } catch (error) {
    return error instanceof Error ? error.message : 'unknown'
  }
  return canCreateFiles() ? 'the filter has no effect' : undefined
}

/** Asks for a file that cannot exist, so that a missing filter leaves none behind. */
function canCreateFiles(): boolean {
  try {
    openSync('/proc/self/no-such-folder/file', 'w')
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EPERM'
  }
}
