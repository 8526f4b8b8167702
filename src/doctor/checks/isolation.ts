import type { Config } from '../../config/config.js'
import { probeIsolation } from '../../inference/workers/isolation/probe-isolation.js'
import {
  describeIsolation,
  type WorkerIsolation,
} from '../../inference/workers/isolation/worker-isolation.js'
import { failed, ok, warning, type Finding } from '../check.js'

/** Checks that the processes that decode strangers' photos can be cut off from network and files. */
export async function checkIsolation(
  { inference }: Pick<Config, 'inference'>,
  known?: WorkerIsolation,
): Promise<Finding> {
  const mode = inference.workerIsolation
  if (mode === 'off') {
    return warning(
      'WORKER_ISOLATION is off: workers may open connections and write files',
      'Set WORKER_ISOLATION=auto unless you debug a worker.',
    )
  }
  const isolation = known ?? (await probeIsolation())
  const found = describeIsolation(isolation)
  if (isolation.filtered) return ok(found)
  const fix =
    'Run the service on Linux 4.14 or newer, on an x64 or arm64 processor, see docs/operating.md.'
  return mode === 'required' ? failed(found, fix) : warning(found, fix)
}
