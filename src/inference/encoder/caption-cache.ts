import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { writeFileWhole } from '../../core/write-file-whole.js'
import type { VisionModel } from './vision.js'

const HASH_BYTES = 32
const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT

/**
 * Keeps the embeddings of captions in a folder: a later start reads what an earlier one computed, as a thousand captions take seconds.
 * Files are named by revision and captions, and a damaged one is computed again. If the folder cannot be written, nothing is kept.
 */
export function createCaptionCache(
  vision: Pick<VisionModel, 'embedTexts' | 'revision'>,
  folder: string,
): VisionModel['embedCaptions'] {
  return async (captions, call) => {
    const revision = vision.revision()
    const file = path.join(
      folder,
      `${hashOf(JSON.stringify([revision, captions])).toString('hex')}.f32`,
    )
    const kept = await readEmbeddings(file, captions.length)
    if (kept) return kept
    const embeddings = await vision.embedTexts(captions, call)
    // After a swap in between they may be those of another model.
    if (vision.revision() === revision) {
      await writeEmbeddings(file, embeddings).catch(() => undefined)
    }
    return embeddings
  }
}

/** Undefined when there are none, or others than were written. */
async function readEmbeddings(file: string, count: number): Promise<Float32Array[] | undefined> {
  const content = await readFile(file).catch(() => undefined)
  if (content === undefined) return undefined
  const body = content.subarray(HASH_BYTES)
  if (!hashOf(body).equals(content.subarray(0, HASH_BYTES))) return undefined
  const size = body.length / FLOAT_BYTES / count
  // A copy: the floats of a small file may lie unaligned in a shared buffer.
  const floats = new Float32Array(new Uint8Array(body).buffer)
  return Array.from({ length: count }, (_, i) => floats.subarray(i * size, (i + 1) * size))
}

/** Writes the sha256 of the floats and the floats in one step, as several servers may share the folder. */
async function writeEmbeddings(file: string, embeddings: readonly Float32Array[]): Promise<void> {
  const body = Buffer.concat(
    embeddings.map(({ buffer, byteOffset, byteLength }) =>
      Buffer.from(buffer, byteOffset, byteLength),
    ),
  )
  await writeFileWhole(file, Buffer.concat([hashOf(body), body]))
}

function hashOf(content: Uint8Array | string): Buffer {
  return createHash('sha256').update(content).digest()
}
