import { existsSync } from 'node:fs'
import { InferenceSession, listSupportedBackends } from 'onnxruntime-node'
import { PackMismatchError } from './pack-mismatch-error.js'
import type { VisionSettings } from './vision-settings.js'

/** Execution provider of ONNX Runtime. */
export type Provider = 'cpu' | 'cuda'

export interface OpenSessions<Name extends string> {
  provider: Provider
  sessions: Record<Name, InferenceSession>
}

/**
 * Opens all model files with the same execution provider, the fastest that the device setting allows and
 * this machine has.
 * @param files - absolute path of each ONNX file
 * @throws PackMismatchError when a file is no ONNX model, or `gpu` is asked for and there is none
 */
export async function openSessions<Name extends string>(
  files: Record<Name, string>,
  { device, threads }: Pick<VisionSettings, 'device' | 'threads'>,
): Promise<OpenSessions<Name>> {
  if (device !== 'cpu' && hasCuda()) {
    try {
      return { provider: 'cuda', sessions: await openAll(files, 'cuda', threads) }
    } catch (error) {
      if (device === 'gpu') throw noGpu(error)
    }
  } else if (device === 'gpu') {
    throw noGpu()
  }
  return { provider: 'cpu', sessions: await openAll(files, 'cpu', threads) }
}

/** ONNX Runtime names the provider whatever the machine has, and complains on stderr when it then cannot load it. */
function hasCuda(): boolean {
  const isNamed = listSupportedBackends().some(({ name }) => name === 'cuda')
  const hasDriver =
    process.platform !== 'linux' || existsSync('/dev/nvidiactl') || existsSync('/dev/dxg')
  return isNamed && hasDriver
}

async function openAll<Name extends string>(
  files: Record<Name, string>,
  provider: Provider,
  threads: number,
): Promise<Record<Name, InferenceSession>> {
  const opened: [string, InferenceSession][] = []
  try {
    for (const [name, file] of Object.entries<string>(files)) {
      opened.push([name, await openSession(file, provider, threads)])
    }
  } catch (error) {
    for (const [, session] of opened) await session.release()
    throw error
  }
  return Object.fromEntries(opened) as Record<Name, InferenceSession>
}

async function openSession(
  file: string,
  provider: Provider,
  threads: number,
): Promise<InferenceSession> {
  try {
    return await InferenceSession.create(file, {
      executionProviders: [provider],
      graphOptimizationLevel: 'all',
      executionMode: 'sequential',
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      // A pattern is kept for every batch size met: 960 MB instead of 660 MB after clip-lite ran 1 to 32 photos.
      enableMemPattern: false,
      // Threads that spin while they wait take the cores from the language worker, which halves both.
      extra: { session: { intra_op: { allow_spinning: '0' }, inter_op: { allow_spinning: '0' } } },
      logSeverityLevel: 3,
    })
  } catch (error) {
    const message = error instanceof Error ? error.message : 'unknown error'
    throw new PackMismatchError(`${file} could not be opened: ${message}`, { cause: error })
  }
}

function noGpu(cause?: unknown): PackMismatchError {
  const detail = cause instanceof Error ? ` (${cause.message})` : ''
  return new PackMismatchError(
    `DEVICE is gpu, but ONNX Runtime has no CUDA provider that works here${detail}. Use the GPU image, or DEVICE=auto.`,
    { cause },
  )
}
