import { writeFileSync, writeSync } from 'node:fs'
import type {
  FromWorker,
  MethodTable,
  ToWorker,
  WorkerFailureReason,
  WorkerInfo,
} from './protocol.js'
import { describeFailure } from './worker-output.js'

/**
 * The caller's input cannot be served; answered as `invalid_input`. The message reaches the partner,
 * so it says what to change and repeats nothing of the input.
 */
export class WorkerInputError extends Error {
  override readonly name = 'WorkerInputError'
}

export interface MethodContext<Progress> {
  /** Aborts when nobody waits for the answer any more; throw `signal.reason` soon after. */
  signal: AbortSignal
  /** Sends one intermediate value to the caller; values after the result are dropped. */
  progress: (value: Progress) => void
}

export type WorkerMethods<M extends MethodTable> = {
  [K in keyof M & string]: (
    request: M[K]['request'],
    context: MethodContext<M[K]['progress']>,
  ) => Promise<M[K]['result']>
}

export interface LoadedWorker<M extends MethodTable> {
  info: WorkerInfo
  methods: WorkerMethods<M>
  /** Called once, when no call is in flight and none can follow. */
  dispose: () => Promise<void>
}

export interface WorkerProgram<M extends MethodTable, Settings> {
  /** Loads the models. What it throws is reported by its message: a path or a checksum, never user data. */
  load: (settings: Settings) => Promise<LoadedWorker<M>>
}

/** Exit codes of a worker that ends by itself, after sysexits.h. */
const EXIT = { drained: 0, notAWorker: 64, uncaught: 70, loadFailed: 78 } as const

/**
 * Serves a worker program over this process's IPC channel until the server says `shutdown` or goes away.
 * Methods run concurrently, as requests arrive; a program that can do one thing at a time queues inside.
 */
export function serveWorker<M extends MethodTable, Settings>(
  program: WorkerProgram<M, Settings>,
): void {
  if (process.send === undefined) {
    process.stderr.write('A model worker is started by the server, not by hand.\n')
    process.exit(EXIT.notAWorker)
  }
  hardenProcess()
  const calls = new Map<number, AbortController>()
  let loaded: LoadedWorker<M> | undefined
  let ending = false

  async function load(settings: Settings): Promise<void> {
    try {
      loaded = await program.load(settings)
    } catch (error) {
      const message = error instanceof Error ? error.message : 'the worker threw no Error'
      return send({ type: 'load_failed', message }, () => process.exit(EXIT.loadFailed))
    }
    send({ type: 'ready', info: loaded.info })
    await endWhenDrained()
  }

  async function serve(id: number, name: string, request: unknown): Promise<void> {
    const controller = new AbortController()
    calls.set(id, controller)
    const progress = (value: unknown) => {
      if (calls.has(id)) send({ type: 'progress', id, progress: value })
    }
    try {
      if (!loaded || !Object.hasOwn(loaded.methods, name)) throw new Error('no such method')
      const method = loaded.methods[name as keyof M & string]
      const result = await method(request, { signal: controller.signal, progress })
      calls.delete(id)
      send({ type: 'result', id, result })
    } catch (error) {
      calls.delete(id)
      send({ type: 'failure', id, ...classifyFailure(error, controller.signal) })
    }
    await endWhenDrained()
  }

  async function endWhenDrained(): Promise<void> {
    if (!ending || !loaded || calls.size > 0) return
    const { dispose } = loaded
    loaded = undefined
    await dispose()
    process.exit(EXIT.drained)
  }

  process.on('message', (message: ToWorker<MethodTable>) => {
    switch (message.type) {
      case 'load':
        return void load(message.settings as Settings)
      case 'request':
        return void serve(message.id, message.method, message.request)
      case 'abort':
        return calls.get(message.id)?.abort()
      case 'shutdown':
        ending = true
        return void endWhenDrained()
    }
  })
}

function classifyFailure(
  error: unknown,
  signal: AbortSignal,
): { reason: WorkerFailureReason; message: string } {
  if (error instanceof WorkerInputError) return { reason: 'invalid_input', message: error.message }
  if (signal.aborted) return { reason: 'aborted', message: 'aborted' }
  return { reason: 'failed', message: describeFailure(error) }
}

/** The channel can close at any moment; what can no longer be delivered is dropped. */
function send(message: FromWorker, sent: () => void = () => {}): void {
  process.send?.(message, undefined, undefined, sent)
}

/** Ties this process to the server's life and keeps what it holds in memory out of terminals and files. */
function hardenProcess(): void {
  // Ctrl-C and service managers signal the whole group; the server drains first and then ends its workers.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  // Native threads may be busy with a call: an orderly exit could wait for them or crash in destructors.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  process.on('uncaughtException', (error) => {
    try {
      writeSync(process.stderr.fd, `uncaught ${describeFailure(error)}\n`)
    } finally {
      process.exit(EXIT.uncaught)
    }
  })
  if (process.report) {
    process.report.reportOnFatalError = false
    process.report.reportOnSignal = false
    process.report.reportOnUncaughtException = false
  }
  preferAsMemoryVictim()
}

/** When the machine runs out of memory, Linux should end a worker, which restarts, and not the server. */
function preferAsMemoryVictim(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '500')
  } catch {
    // Other systems have no such file; the worker is as good without it.
  }
}
