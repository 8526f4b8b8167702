import os from 'node:os'
import type { MethodTable, WorkerRole } from '../../../inference/workers/protocol.js'
import { roleEnvironment } from '../../../inference/workers/role-environment.js'
import { startWorker } from '../../../inference/workers/start-worker.js'
import type { WorkerProcess } from '../../../inference/workers/worker-process.js'
import type { Log } from '../../../telemetry/log.js'

/** Threads of every contender: all cores. */
export const THREADS = os.availableParallelism()

/** Standard output is reserved for the report. */
const log: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: (message, fields) => console.error(message, fields),
}

/**
 * Starts a model worker without the server, to measure it without HTTP.
 * @param entry - default: that of the role
 */
export function startStandaloneWorker<M extends MethodTable>(
  role: WorkerRole,
  settings: unknown,
  entry?: URL,
): Promise<WorkerProcess<M>> {
  const environment = roleEnvironment(role, THREADS)
  return startWorker<M>(role, settings, { log, environment, ...(entry && { entry }) })
}
