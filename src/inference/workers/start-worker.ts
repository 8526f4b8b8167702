import type { Log } from '../../telemetry/log.js'
import { forkWorker, type ForkedWorker, type WorkerExit } from './fork-worker.js'
import { lowerWorkerPriority } from './lower-worker-priority.js'
import type { FromWorker, MethodTable, WorkerInfo, WorkerRole } from './protocol.js'
import { createOutputLog } from './worker-output.js'
import { WorkerProcess } from './worker-process.js'

/** Compiled entry by role: the same path from src, under jest, and from dist. */
const WORKER_ENTRIES: Record<WorkerRole, URL> = {
  vision: new URL('../../../dist/inference/encoder/vision-worker.js', import.meta.url),
  language: new URL('../../../dist/inference/language/language-worker.js', import.meta.url),
}

/** A worker did not get ready. The message is for the operator and holds no user data. */
export class WorkerStartError extends Error {
  override readonly name = 'WorkerStartError'
}

export interface StartWorkerOptions {
  log: Log
  /** The complete environment of the worker. */
  environment: Readonly<Record<string, string>>
  /** Aborts the start; no effect once the worker is ready. */
  signal?: AbortSignal
  /** Compiled module that calls `serveWorker`. Default: that of the role. */
  entry?: URL
  /** Default 600 000: reading and hashing a large model on a slow disk takes minutes. */
  readyTimeoutMs?: number
  /** How long the worker may take to react to an abort or a shutdown before it is killed. Default 10 000. */
  graceMs?: number
}

/**
 * Starts a model worker and resolves when its models are loaded.
 * @throws WorkerStartError when loading fails, takes too long or is aborted, or the process ends
 */
export async function startWorker<M extends MethodTable>(
  role: WorkerRole,
  settings: unknown,
  options: StartWorkerOptions,
): Promise<WorkerProcess<M>> {
  const { log, environment, signal, readyTimeoutMs = 600_000, graceMs = 10_000 } = options
  const { entry = WORKER_ENTRIES[role] } = options
  if (signal?.aborted) throw new WorkerStartError('The start was aborted.')
  const logOutput = createOutputLog(log, () => ({ role, pid: forked.child.pid }))
  const forked = forkWorker(entry, environment, logOutput)
  const { child, exited } = forked
  lowerWorkerPriority(child, log)
  try {
    child.send({ type: 'load', settings }, () => {})
    const info = await awaitReady(forked, readyTimeoutMs, signal)
    return new WorkerProcess<M>(forked, info, graceMs)
  } catch (error) {
    child.kill('SIGKILL')
    await exited
    throw error
  }
}

async function awaitReady(
  { child, exited }: ForkedWorker,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<WorkerInfo> {
  let stopWaiting = () => {}
  try {
    return await new Promise<WorkerInfo>((resolve, reject) => {
      const fail = (message: string) => reject(new WorkerStartError(message))
      const timer = setTimeout(() => fail(`not ready within ${timeoutMs} ms`), timeoutMs)
      const giveUp = () => fail('The start was aborted.')
      const onMessage = (message: FromWorker) => {
        if (message.type === 'ready') resolve(message.info)
        if (message.type === 'load_failed') fail(message.message)
      }
      child.on('message', onMessage)
      signal?.addEventListener('abort', giveUp)
      void exited.then((exit) => fail(`the process ended while loading (${describeExit(exit)})`))
      stopWaiting = () => {
        clearTimeout(timer)
        child.off('message', onMessage)
        signal?.removeEventListener('abort', giveUp)
      }
    })
  } finally {
    stopWaiting()
  }
}

function describeExit({ code, signal }: WorkerExit): string {
  return signal ?? `exit code ${code}`
}
