import { OperatorError } from '../../../core/operator-error.js'
import type { Log } from '../../../telemetry/log.js'
import { startWorker } from '../start-worker.js'
import { describeIsolation, type IsolationMode, type WorkerIsolation } from './worker-isolation.js'

const SILENT: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
// Resolves to the compiled file both from dist and from src, where it runs under jest.
const ENTRY = new URL(
  '../../../../dist/inference/workers/isolation/isolation-probe.js',
  import.meta.url,
)
const TIMEOUT_MS = 30_000

/** Starts a worker without models and returns how it is isolated; takes about a fifth of a second. */
export async function probeIsolation(): Promise<WorkerIsolation> {
  const worker = await startWorker('vision', undefined, {
    log: SILENT,
    environment: {},
    entry: ENTRY,
    isolation: 'auto',
    readyTimeoutMs: TIMEOUT_MS,
  })
  worker.kill()
  await worker.exited
  return worker.info.isolation
}

/** @throws OperatorError when isolation is required and this system does not give it */
export async function assertIsolationPossible(mode: IsolationMode): Promise<void> {
  if (mode !== 'required') return
  const isolation = await probeIsolation()
  if (isolation.filtered) return
  throw new OperatorError(
    `WORKER_ISOLATION is required, but this system gives: ${describeIsolation(isolation)}. See docs/operating.md, or set WORKER_ISOLATION=auto.`,
  )
}
