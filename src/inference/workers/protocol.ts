import type { IsolationMode, WorkerIsolation } from './isolation/worker-isolation.js'

/**
 * Messages between the server process and a model worker over the IPC channel of `child_process.fork`, with `serialization:
 * 'advanced'` for typed arrays.
 *
 * A worker sends `ready` once its models are loaded. The server then sends `request`s, each with a unique id; the worker answers each
 * with exactly one `result` or `failure`. It answers each `ping` with a `pong`, from its event loop. A worker without network may `ask` the
 * server, which answers each question with exactly one `answer` or `refusal`.
 */

/** `vision` runs the encoders in `encoder/`, for photos and texts. Environment variables and metric labels use these names. */
export type WorkerRole = 'vision' | 'language'

/** Methods of a role: name → types of request and result. */
export type MethodTable = Record<string, { request: unknown; result: unknown }>

export type ToWorker<M extends MethodTable> =
  | { type: 'load'; settings: unknown; isolation: IsolationMode }
  | {
      [K in keyof M & string]: { type: 'request'; id: number; method: K; request: M[K]['request'] }
    }[keyof M & string]
  | { type: 'abort'; id: number }
  | { type: 'answer'; id: number; answer: unknown }
  | { type: 'refusal'; id: number; message: string }
  | { type: 'ping' }
  | { type: 'shutdown' }

/** Why a call failed: invalid input, an abort by the caller, or an error in the model. */
export type WorkerFailureReason = 'invalid_input' | 'aborted' | 'failed'

export type FromWorker =
  | { type: 'ready'; info: WorkerInfo }
  | { type: 'load_failed'; message: string }
  | { type: 'pong' }
  | { type: 'ask'; id: number; question: unknown }
  | { type: 'ask_abort'; id: number }
  | { type: 'result'; id: number; result: unknown }
  | { type: 'failure'; id: number; reason: WorkerFailureReason; message: string }

/** The `device` of a worker whose models run at engines: it needs neither a GPU nor much time of the processor. */
export const ENGINES_DEVICE = 'engines'

/** Information from a ready worker; logged, and shown by `/readyz`. */
export interface WorkerInfo {
  /** Names of the packs that are loaded. */
  packs: string[]
  /** `cpu`, the GPU backend in use, or `engines` when the models run elsewhere. */
  device: string
  threads: number
  /** Properties that callers need, such as the revision of embeddings. */
  properties: Record<string, number | string | boolean>
  isolation: WorkerIsolation
}
