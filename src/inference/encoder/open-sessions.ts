import { existsSync } from 'node:fs'
import { listSupportedBackends, type InferenceSession } from 'onnxruntime-node'
import { openLighterSession, type Probe } from './open-lighter-session.js'
import { openSession, type ModelSource, type Provider } from './open-session.js'
import { PackMismatchError } from './pack-mismatch-error.js'
import type { VisionSettings } from './vision-settings.js'

export interface ModelFile {
  /** Absolute path of an ONNX file. */
  path: string
  /** Lets what nothing reads be left out of the model, if it gives the same for the probe. */
  probe?: Probe
}

export interface OpenSessions<Name extends string> {
  provider: Provider
  sessions: Record<Name, InferenceSession>
}

/**
 * Opens all model files with the same execution provider, the fastest that the device setting allows and
 * this machine has.
 * @throws PackMismatchError when a file is no ONNX model, or `gpu` is asked for and there is none
 */
export async function openSessions<Name extends string>(
  files: Record<Name, ModelFile>,
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
  files: Record<Name, ModelFile>,
  provider: Provider,
  threads: number,
): Promise<Record<Name, InferenceSession>> {
  const open = (source: ModelSource) => openSession(source, provider, threads)
  const opened: [string, InferenceSession][] = []
  try {
    for (const [name, { path, probe }] of Object.entries<ModelFile>(files)) {
      const session = probe ? openLighterSession(path, probe, open) : open(path)
      opened.push([name, await session])
    }
  } catch (error) {
    for (const [, session] of opened) await session.release()
    throw error
  }
  return Object.fromEntries(opened) as Record<Name, InferenceSession>
}

function noGpu(cause?: unknown): PackMismatchError {
  const detail = cause instanceof Error ? ` (${cause.message})` : ''
  return new PackMismatchError(
    `DEVICE is gpu, but ONNX Runtime has no CUDA provider that works here${detail}. Use the GPU image, or DEVICE=auto.`,
    { cause },
  )
}
