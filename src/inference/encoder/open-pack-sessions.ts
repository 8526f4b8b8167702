import { existsSync } from 'node:fs'
import { listSupportedBackends } from 'onnxruntime-node'
import { localSession, type ModelSession } from './model-session.js'
import { openSession, type Provider } from './open-onnx-session.js'
import { PackMismatchError } from './pack-mismatch-error.js'
import type { VisionSettings } from './vision-settings.js'

export interface OpenSessions<Name extends string> {
  provider: Provider
  sessions: Record<Name, ModelSession>
}

/**
 * Opens all models with one execution provider: the fastest that the machine has and the device setting allows.
 * @param files - absolute paths of ONNX files
 * @throws PackMismatchError when a file is no ONNX model, or the setting is `gpu` and there is none
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

/** ONNX Runtime lists the provider on every machine, and complains on stderr when it cannot load it. */
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
): Promise<Record<Name, ModelSession>> {
  const opened: [string, ModelSession][] = []
  try {
    for (const [name, file] of Object.entries<string>(files)) {
      opened.push([name, localSession(await openSession(file, provider, threads))])
    }
  } catch (error) {
    for (const [, session] of opened) await session.release()
    throw error
  }
  return Object.fromEntries(opened) as Record<Name, ModelSession>
}

function noGpu(cause?: unknown): PackMismatchError {
  const detail = cause instanceof Error ? ` (${cause.message})` : ''
  return new PackMismatchError(
    `DEVICE is gpu, but ONNX Runtime has no CUDA provider that works here${detail}. Use the GPU image, or DEVICE=auto.`,
    { cause },
  )
}
