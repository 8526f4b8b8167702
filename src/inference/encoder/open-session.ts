import { InferenceSession } from 'onnxruntime-node'
import { PackMismatchError } from './pack-mismatch-error.js'
import { productsSaturate } from './saturating-products.js'

/** Execution provider of ONNX Runtime. */
export type Provider = 'cpu' | 'cuda'

/** The path of an ONNX file, or the bytes of one whose external weights lie in a folder. */
export type ModelSource = string | { bytes: Uint8Array; folder: string }

/** @throws PackMismatchError when it is no ONNX model that the provider can run */
export async function openSession(
  source: ModelSource,
  provider: Provider,
  threads: number,
): Promise<InferenceSession> {
  const options = sessionOptions(provider, threads)
  try {
    const session = { ...SESSION_CONFIG, ...((await productsSaturate()) && UNSIGNED_WEIGHTS) }
    if (typeof source === 'string') {
      return await InferenceSession.create(source, { ...options, extra: { session } })
    }
    const place = { model_external_initializers_file_folder_path: source.folder }
    return await InferenceSession.create(source.bytes, {
      ...options,
      extra: { session: { ...session, ...place } },
    })
  } catch (error) {
    const file = typeof source === 'string' ? source : `a model of ${source.folder}`
    const message = error instanceof Error ? error.message : 'unknown error'
    throw new PackMismatchError(`${file} could not be opened: ${message}`, { cause: error })
  }
}

/**
 * A thread looks for work for this long before it sleeps. Ten microseconds bridge the gap between most operators: bios
 * are judged 1.3 times as fast as by threads that sleep at once. Twenty add little, and without an end threads take the
 * cores from the language worker, which halves both.
 */
const SESSION_CONFIG = { intra_op: { spin_duration_us: '10' } }

/** Makes 8-bit weights unsigned, whose products never saturate; where none does, that only takes time. */
const UNSIGNED_WEIGHTS = { x64quantprecision: '1' }

function sessionOptions(provider: Provider, threads: number) {
  return {
    executionProviders: [provider],
    graphOptimizationLevel: 'all',
    executionMode: 'sequential',
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // A pattern is kept for every batch size met: 960 MB instead of 660 MB after clip-lite ran 1 to 32 photos.
    enableMemPattern: false,
    logSeverityLevel: 3,
  } satisfies InferenceSession.SessionOptions
}
