import {
  ENGINES_DEVICE,
  type FromWorker,
  type MethodTable,
  type ToWorker,
  type WorkerFailureReason,
  type WorkerInfo,
} from './protocol.js'
import { isolateWorker } from './isolation/isolate-worker.js'
import {
  describeIsolation,
  NOT_ISOLATED,
  type IsolationMode,
  type WorkerIsolation,
} from './isolation/worker-isolation.js'
import { hardenWorker } from './worker-hardening.js'
import { describeFailure } from './worker-output.js'

/**
 * The caller's input cannot be served; answered as `invalid_input`. The message reaches the partner: it says what to change and repeats
 * nothing of the input.
 */
export class WorkerInputError extends Error {
  override readonly name = 'WorkerInputError'
}

export interface MethodContext {
  /** Aborts when the answer is no longer needed; throw `signal.reason` soon after. */
  signal: AbortSignal
}

export type WorkerMethods<M extends MethodTable> = {
  [K in keyof M & string]: (
    request: M[K]['request'],
    context: MethodContext,
  ) => Promise<M[K]['result']>
}

export interface LoadedWorker<M extends MethodTable> {
  info: Omit<WorkerInfo, 'isolation'>
  methods: WorkerMethods<M>
  /** Called once after the last call. */
  dispose: () => Promise<void>
}

/** What a worker can ask of the server. */
export interface ServerChannel {
  /**
   * The question is copied before this returns.
   * @throws Error with the server's reason; the abort reason
   */
  ask: (question: unknown, signal?: AbortSignal) => Promise<unknown>
}

export interface WorkerProgram<M extends MethodTable, Settings> {
  /** Loads the models. Messages of its errors are reported: a path or a checksum, never user data. */
  load: (settings: Settings, server: ServerChannel) => Promise<LoadedWorker<M>>
}

/** Exit codes of a worker that ends by itself, from sysexits.h. */
const EXIT = { drained: 0, notAWorker: 64, loadFailed: 78 } as const

/**
 * Serves a worker program over this process's IPC channel until the server sends `shutdown` or disconnects. Methods run concurrently as
 * requests arrive; a program that can do one thing at a time queues by itself.
 */
export function serveWorker<M extends MethodTable, Settings>(
  program: WorkerProgram<M, Settings>,
): void {
  if (process.send === undefined) {
    process.stderr.write('A model worker is started by the server, not by hand.\n')
    process.exit(EXIT.notAWorker)
  }
  hardenWorker()
  const calls = new Map<number, AbortController>()
  let loaded: LoadedWorker<M> | undefined
  let ending = false
  const server = createServerChannel()

  async function load(settings: Settings, mode: IsolationMode): Promise<void> {
    let isolation: WorkerIsolation
    try {
      loaded = await program.load(settings, server)
      isolation = await isolate(mode, loaded.info)
    } catch (error) {
      await send({ type: 'load_failed', message: messageOf(error) })
      process.exit(EXIT.loadFailed)
    }
    await send({ type: 'ready', info: { ...loaded.info, isolation } })
    await endWhenDrained()
  }

  async function serve(id: number, name: string, request: unknown): Promise<void> {
    const controller = new AbortController()
    calls.set(id, controller)
    try {
      if (!loaded || !Object.hasOwn(loaded.methods, name)) throw new Error('no such method')
      const method = loaded.methods[name as keyof M & string]
      const result = await method(request, { signal: controller.signal })
      await send({ type: 'result', id, result })
    } catch (error) {
      await send({ type: 'failure', id, ...classifyFailure(error, controller.signal) })
    }
    calls.delete(id)
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
        return void load(message.settings as Settings, message.isolation)
      case 'request':
        return void serve(message.id, message.method, message.request)
      case 'ping':
        return void send({ type: 'pong' })
      case 'answer':
      case 'refusal':
        return server.settle(message)
      case 'abort':
        return calls.get(message.id)?.abort()
      case 'shutdown':
        ending = true
        return void endWhenDrained()
    }
  })
}

type Settlement = Extract<ToWorker<MethodTable>, { type: 'answer' | 'refusal' }>

function createServerChannel(): ServerChannel & { settle: (message: Settlement) => void } {
  const questions = new Map<number, (message: Settlement) => void>()
  let lastId = 0
  return {
    ask: async (question, signal) => {
      signal?.throwIfAborted()
      const id = ++lastId
      let onAbort = () => {}
      try {
        return await new Promise((resolve, reject) => {
          onAbort = () => {
            void send({ type: 'ask_abort', id })
            reject(signal!.reason as Error)
          }
          signal?.addEventListener('abort', onAbort)
          questions.set(id, (message) => {
            if (message.type === 'answer') resolve(message.answer)
            else reject(new Error(message.message))
          })
          void send({ type: 'ask', id, question })
        })
      } finally {
        signal?.removeEventListener('abort', onAbort)
        questions.delete(id)
      }
    },
    settle: (message) => questions.get(message.id)?.(message),
  }
}

/** @throws Error when isolation is required and incomplete */
async function isolate(
  mode: IsolationMode,
  { device }: Pick<WorkerInfo, 'device'>,
): Promise<WorkerIsolation> {
  if (mode === 'off') return NOT_ISOLATED
  const isolation = await isolateWorker({ usesGpu: !['cpu', ENGINES_DEVICE].includes(device) })
  if (mode === 'required' && !isolation.filtered) {
    throw new Error(
      `WORKER_ISOLATION is required, but this system gives: ${describeIsolation(isolation)}`,
    )
  }
  return isolation
}

function classifyFailure(
  error: unknown,
  signal: AbortSignal,
): { reason: WorkerFailureReason; message: string } {
  if (error instanceof WorkerInputError) return { reason: 'invalid_input', message: error.message }
  if (signal.aborted) return { reason: 'aborted', message: 'aborted' }
  return { reason: 'failed', message: describeFailure(error) }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'the worker threw a value that is no Error'
}

/**
 * Resolves when the message has left this process, since `process.exit` would drop it. A closed channel drops it too.
 */
function send(message: FromWorker): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(message, undefined, undefined, () => resolve())
  })
}
