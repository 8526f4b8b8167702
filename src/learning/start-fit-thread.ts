import { Worker } from 'node:worker_threads'
import type { EnvironmentFit } from './compute-fit.js'
import type { FitRequest } from './fit-request.js'
import type { FitAnswer, FitTask, FitThreadSettings } from './fit-thread.js'

/** The compiled file both from dist and from src, where it runs under jest. */
const ENTRY = new URL('../../dist/learning/fit-thread.js', import.meta.url)

export type Fit = (request: FitRequest) => Promise<EnvironmentFit>

export interface FitThread {
  /** @throws FitError, or what ended the thread */
  fit: Fit
  close: () => Promise<void>
}

/** The thread could not compute what was learnt. */
export class FitError extends Error {
  override readonly name = 'FitError'
  /** Of SQLite or the operating system, such as `SQLITE_BUSY`. */
  readonly code: string

  constructor(code: string) {
    super('What was learnt could not be computed.')
    this.code = code
  }
}

interface Waiting {
  resolve: (fit: EnvironmentFit) => void
  reject: (error: unknown) => void
}

/**
 * Computes what environments have learnt in a separate thread, because the many fits that choose a half-life would hold up
 * every request. It starts with the first request, and again after it ended.
 */
export function startFitThread(settings: FitThreadSettings): FitThread {
  const waiting = new Map<number, Waiting>()
  let thread: Worker | undefined
  let lastId = 0

  function start(): Worker {
    const started = new Worker(ENTRY, { workerData: settings, execArgv: [], env: {} })
    let failure: unknown = new Error('The thread that computes what was learnt has ended.')
    started.on('message', (answer: FitAnswer) => {
      const request = waiting.get(answer.id)
      waiting.delete(answer.id)
      // It must not keep the process alive while it has nothing to do.
      if (waiting.size === 0) started.unref()
      if ('fit' in answer) request?.resolve(answer.fit)
      else request?.reject(new FitError(answer.code))
    })
    started.once('error', (error) => (failure = error))
    started.once('exit', () => {
      thread = undefined
      for (const { reject } of waiting.values()) reject(failure)
      waiting.clear()
    })
    return started
  }

  return {
    fit: (request) =>
      new Promise((resolve, reject) => {
        const task: FitTask = { id: ++lastId, ...request }
        waiting.set(task.id, { resolve, reject })
        thread ??= start()
        thread.ref()
        thread.postMessage(task)
      }),
    close: async () => {
      await thread?.terminate()
    },
  }
}
