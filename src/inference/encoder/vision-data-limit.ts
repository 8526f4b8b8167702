import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { VisionSettings } from './vision-settings.js'

const GIB = 1024 ** 3

/** Node, the libraries, the largest photos and the batches: a loaded worker has 640 MB, and 49 megapixels of AVIF took it to 0.9 GB. */
const BASE_BYTES = 3 * GIB
/** A photo of 16 megapixels takes 270 MB, and the models some memory for each of their threads. */
const BYTES_PER_THREAD = GIB / 2
/** ONNX Runtime holds a model twice while it optimises it. */
const MODEL_FACTOR = 3

/**
 * Bytes that the vision worker may fill: well above what the costliest photos take, so that a photo which finds a way to take more makes
 * an allocation fail, before the system kills a process. No limit with a GPU, whose driver reserves the addresses of its memory.
 */
export async function visionDataLimit(settings: VisionSettings): Promise<number | undefined> {
  const { clip, photoSafety, bioSafety, match, threads, device } = settings
  if (device !== 'cpu' && existsSync('/dev/nvidiactl')) return undefined
  const folders = new Set([clip, photoSafety, bioSafety, match].map(({ folder }) => folder))
  const sizes = await Promise.all([...folders].map(sizeOfFolder))
  const modelBytes = sizes.reduce((sum, size) => sum + size, 0)
  return BASE_BYTES + threads * BYTES_PER_THREAD + MODEL_FACTOR * modelBytes
}

async function sizeOfFolder(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = files.map(
    async ({ name, parentPath }) => (await stat(path.join(parentPath, name))).size,
  )
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
