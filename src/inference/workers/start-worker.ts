import type { Log } from '../../telemetry/log.js'
import { answerQuestions, type Answerer } from './answer-questions.js'
import { describeExit, forkWorker, type ForkedWorker } from './fork-worker.js'
import type { IsolationMode } from './isolation/worker-isolation.js'
import { lowerWorkerPriority } from './lower-worker-priority.js'
import type { FromWorker, MethodTable, WorkerInfo, WorkerRole } from './protocol.js'
import { createOutputLog } from './worker-output.js'
import { watchLiveness } from './watch-liveness.js'
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
  /** Default `auto`. */
  isolation?: IsolationMode
  /**
   * Bytes of memory that a worker with these settings may fill with data of its own; files that it maps do not count. Beyond them,
   * allocations fail. Default: no limit.
   */
  dataLimitBytes?: ((settings: unknown) => Promise<number | undefined>) | undefined
  /** Opens what answers the questions of this worker. Default: it gets no answers. */
  openAnswerer?: (() => Answerer) | undefined
  /** Default 600 000: reading and hashing a large model on a slow disk takes minutes. */
  readyTimeoutMs?: number
  /** Time between checks whether it is alive. Default 1000. */
  checkMs?: number
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
  const { log, environment, signal, readyTimeoutMs = 600_000, graceMs = 10_000, checkMs } = options
  const { entry = WORKER_ENTRIES[role], isolation = 'auto', dataLimitBytes, openAnswerer } = options
  const dataBytes = await dataLimitBytes?.(settings)
  if (signal?.aborted) throw new WorkerStartError('The start was aborted.')
  const forked = forkWorker(entry, {
    environment,
    limits: { isIsolated: isolation !== 'off', dataBytes },
    onLine: createOutputLog(log, () => ({ role, pid: forked.child.pid })),
  })
  const { child, exited } = forked
  lowerWorkerPriority(child, log)
  if (openAnswerer) answerQuestions(child, exited, openAnswerer())
  try {
    child.send({ type: 'load', settings, isolation }, () => {})
    const info = await awaitReady(forked, { readyTimeoutMs, signal, checkMs })
    return new WorkerProcess<M>(forked, info, { graceMs, checkMs })
  } catch (error) {
    child.kill('SIGKILL')
    await exited
    throw error
  }
}

async function awaitReady(
  { child, exited }: ForkedWorker,
  options: Pick<StartWorkerOptions, 'signal' | 'checkMs'> & { readyTimeoutMs: number },
): Promise<WorkerInfo> {
  const { readyTimeoutMs, signal, checkMs } = options
  let stopWaiting = () => {}
  try {
    return await new Promise<WorkerInfo>((resolve, reject) => {
      const fail = (message: string) => reject(new WorkerStartError(message))
      const timer = setTimeout(() => fail(`not ready within ${readyTimeoutMs} ms`), readyTimeoutMs)
      const liveness = watchLiveness({
        pid: child.pid ?? 0,
        isBusy: () => false,
        onHung: (reason) => fail(`killed, since ${reason} while loading`),
        intervalMs: checkMs,
      })
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
        liveness.stop()
        child.off('message', onMessage)
        signal?.removeEventListener('abort', giveUp)
      }
    })
  } finally {
    stopWaiting()
  }
}
