import { findProcesses, readCpuSeconds } from '../../bench/service/service-processes.js'
import { startService } from '../../bench/service/start-service.js'
import { createSender, type FuzzAnswer, type FuzzRequest } from './send-request.js'
import { watchHealth, type HealthReport } from './watch-health.js'
import { watchMemory, type MemoryReport } from './watch-memory.js'

/** What is seen of a service that ran until the end of all inputs. */
export interface ServiceReport {
  health: HealthReport
  memory: MemoryReport[]
  /** Ends of worker processes that nobody asked for. */
  workerFailures: number
}

/** The real service with the real models, watched while it gets inputs. */
export interface FuzzedService {
  baseUrl: string
  port: number
  apiKey: string
  dataDir: string
  send: (request: FuzzRequest) => Promise<FuzzAnswer>
  /** Processor time of the server and its workers in milliseconds. */
  readCpuMs: () => number
  /** Stops the service. */
  close: () => Promise<ServiceReport>
}

export async function startFuzzedService(): Promise<FuzzedService> {
  // Generated photo addresses lead nowhere.
  const service = await startService({ PHOTO_FETCH_TIMEOUT_MS: '500', LOG_LEVEL: 'silent' })
  const { baseUrl, pid } = service
  const sender = createSender(baseUrl)
  const pids = findProcesses(pid)
  const endMemory = watchMemory(pid)
  const endHealth = watchHealth(baseUrl)
  return {
    baseUrl,
    port: Number(new URL(baseUrl).port),
    apiKey: service.apiKey,
    dataDir: service.dataDir,
    send: (request) => sender.send(request),
    readCpuMs: () => {
      // A worker that was replaced has another id.
      if (Object.values(pids).some((one) => Number.isNaN(readCpuSeconds(one)))) {
        Object.assign(pids, findProcesses(pid))
      }
      const seconds = Object.values(pids).map((one) => readCpuSeconds(one))
      return 1_000 * seconds.reduce((sum, one) => sum + (Number.isNaN(one) ? 0 : one), 0)
    },
    close: async () => {
      const [health, memory] = [await endHealth(), endMemory()]
      const workerFailures = countWorkerFailures(await service.readMetrics())
      sender.close()
      await service.close()
      return { health, memory, workerFailures }
    },
  }
}

function countWorkerFailures(metrics: string): number {
  const counts = metrics.matchAll(
    /^pis_worker_events_total\{[^}]*event="(?:crashed|hung|load_failed)"[^}]*\} (\d+)/gm,
  )
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}
