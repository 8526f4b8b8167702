import { InferenceSession } from 'onnxruntime-node'
import { PackMismatchError } from './pack-mismatch-error.js'
import { productsSaturate } from './saturating-products.js'

/** Execution provider of ONNX Runtime. */
export type Provider = 'cpu' | 'cuda'

/** @throws PackMismatchError when the file is no ONNX model that the provider can run */
export async function openSession(
  file: string,
  provider: Provider,
  threads: number,
): Promise<InferenceSession> {
  const options = sessionOptions(provider, threads)
  try {
    const session = { ...SESSION_CONFIG, ...((await productsSaturate()) && UNSIGNED_WEIGHTS) }
    return await InferenceSession.create(file, { ...options, extra: { session } })
  } catch (error) {
    const message = error instanceof Error ? error.message : 'unknown error'
    throw new PackMismatchError(`${file} could not be opened: ${message}`, { cause: error })
  }
}

/**
 * Threads spin this long before they sleep. Ten microseconds bridge the gap between most operators: bios are classified 1.3
 * times as fast as without spinning. Twenty add little; endless spinning starves the language worker, which halves both.
 */
const SESSION_CONFIG = { intra_op: { spin_duration_us: '10' } }

/** Makes 8-bit weights unsigned, whose products never saturate; without saturation this only costs time. */
const UNSIGNED_WEIGHTS = { x64quantprecision: '1' }

function sessionOptions(provider: Provider, threads: number) {
  return {
    executionProviders: [provider],
    graphOptimizationLevel: 'all',
    executionMode: 'sequential',
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // A pattern is kept for every batch size: 960 MB instead of 660 MB after clip-lite ran 1 to 32 photos.
    enableMemPattern: false,
    logSeverityLevel: 3,
  } satisfies InferenceSession.SessionOptions
}
