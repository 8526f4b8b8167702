import type { Config } from '../config/config.js'
import type { Log } from '../telemetry/log.js'
import type { Metrics } from '../telemetry/metrics.js'
import { createModelHost, type ModelHost, type ModelHostOptions } from './workers/model-host.js'
import type { MethodTable, WorkerRole } from './workers/protocol.js'
import { readResidentMemory } from './workers/resident-memory.js'
import { roleEnvironment } from './workers/role-environment.js'
import { watchMemory } from './workers/watch-memory.js'
import type { WorkerEvent } from './workers/worker-supervisor.js'

export interface Telemetry {
  log: Log
  metrics: Metrics
}

/** The request gate limits requests; the calls of an admitted request are not limited again. */
export const NO_LIMIT = Number.POSITIVE_INFINITY

/** Metric labels keep the method names of 0.1.0, so that dashboards and alerts keep working. */
const METHOD_LABELS: Record<string, string> = { classifyBio: 'judgeBio', scorePairs: 'judgePairs' }

export function methodLabel(method: string): string {
  return METHOD_LABELS[method] ?? method
}

export type HostParts = Pick<ModelHostOptions, 'role' | 'queue' | 'settings' | 'onEvent'> &
  Pick<ModelHostOptions['worker'], 'dataLimitBytes' | 'entry' | 'openAnswerer'>

/** Opens a host that reports to log and metrics; nothing is loaded before its `start`. */
export function openHost<M extends MethodTable>(
  config: Config,
  telemetry: Telemetry,
  parts: HostParts,
): ModelHost<M> {
  const { role } = parts
  const host = openWorkerHost<M>(config, telemetry, {
    ...parts,
    ...reportCalls(role, telemetry),
    idleUnloadMs: config.inference.idleUnloadMs,
  })
  telemetry.metrics.beforeRead(() => {
    telemetry.metrics.queueDepth.set({ role }, host.load().waiting)
  })
  return host
}

/** Reports waits and service times of the calls of a model. */
export function reportCalls(
  role: WorkerRole,
  { metrics }: Telemetry,
): Pick<ModelHostOptions, 'onWait' | 'onService'> {
  return {
    onWait: (waitedMs) => metrics.queueSeconds.observe({ role }, waitedMs / 1_000),
    onService: (method, serviceMs) =>
      metrics.inferenceSeconds.observe({ role, method: methodLabel(method) }, serviceMs / 1_000),
  }
}

/** Opens a host that reports its worker, and not its calls, to log and metrics. */
export function openWorkerHost<M extends MethodTable>(
  { inference }: Config,
  { log, metrics }: Telemetry,
  {
    dataLimitBytes,
    entry,
    openAnswerer,
    ...options
  }: HostParts & Pick<ModelHostOptions, 'onWait' | 'onService' | 'idleUnloadMs'>,
): ModelHost<M> {
  const { role, onEvent } = options
  const gpus = inference.gpus[role]
  const countEvent = (event: WorkerEvent) => metrics.workerEvents.inc({ role, event })
  const host = createModelHost<M>({
    ...options,
    log,
    worker: {
      ...(entry && { entry }),
      isolation: inference.workerIsolation,
      dataLimitBytes,
      openAnswerer,
      environment: {
        ...roleEnvironment(role, inference[`${role}Threads`]),
        ...inference.workerEnvironment,
        ...(gpus !== undefined && { CUDA_VISIBLE_DEVICES: gpus }),
      },
    },
    onEvent: (event) => {
      countEvent(event)
      onEvent?.(event)
    },
  })
  metrics.beforeRead(() => {
    const pid = host.pid()
    const bytes = pid === undefined ? undefined : readResidentMemory(pid)
    if (bytes === undefined) metrics.workerMemory.remove({ role })
    else metrics.workerMemory.set({ role }, bytes)
  })
  const stopWatching = watchMemory({
    role,
    limitBytes: inference.workerMemoryLimitBytes,
    pid: host.pid,
    replace: host.swap,
    onOutgrown: () => countEvent('outgrown'),
    log,
  })
  return {
    ...host,
    close: async (limitMs) => {
      stopWatching()
      await host.close(limitMs)
    },
  }
}
