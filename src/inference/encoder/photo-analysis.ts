import { createBatcher } from '../workers/batcher.js'
import type { PhotoAnalysis, PhotoOutcome } from './vision.js'
import { PhotoRefusal } from './decode-errors.js'
import { createPhotoDecoder } from './decode-photo.js'
import type { Clip } from './open-clip.js'
import type { PhotoSafety } from './open-photo-safety.js'
import { prepareImage, type ImageInput } from './prepare-image.js'

/**
 * Milliseconds that decoded photos wait for others that are being decoded, to share a batch. Models run on the thread that schedules
 * decoding: without the wait, two photos of sixteen would be ready first and run alone.
 */
const MAX_DELAY_MS = 50

/** Inputs of both image models for one photo. */
interface PreparedPhoto {
  clip: ImageInput
  safety: ImageInput
}

export interface PhotoAnalysisOptions {
  clip: Clip
  safety: PhotoSafety
  /** Photos decoded at the same time; small ones do not count. */
  threads: number
  /** Largest batch. */
  batchLimit: number
  /** Batches at the same time. Default: 1. */
  concurrency?: number
}

/** Decodes photos in parallel and analyses decoded ones in batches, across calls. */
export function createPhotoAnalysis(options: PhotoAnalysisOptions) {
  const { clip, safety, threads, batchLimit, concurrency = 1 } = options
  const edges = [clip, safety].map(({ preparation: { resize } }) =>
    Math.max(resize.width, resize.height),
  )
  const decoder = createPhotoDecoder({
    threads,
    ahead: batchLimit,
    shorterEdge: Math.max(...edges),
  })
  const batcher = createBatcher({
    maxBatch: batchLimit,
    maxDelayMs: MAX_DELAY_MS,
    concurrency,
    run: analyzeBatch,
  })

  async function prepare(bytes: Uint8Array, signal: AbortSignal): Promise<PreparedPhoto> {
    const photo = await decoder.decode(bytes, signal)
    const [clipInput, safetyInput] = await Promise.all([
      prepareImage(photo, clip.preparation),
      prepareImage(photo, safety.preparation),
    ])
    return { clip: clipInput, safety: safetyInput }
  }

  async function analyzeBatch(
    batch: PreparedPhoto[],
    signal: AbortSignal,
  ): Promise<PhotoAnalysis[]> {
    const embed = () =>
      clip.embedPhotos(
        batch.map((photo) => photo.clip),
        signal,
      )
    const score = () =>
      safety.score(
        batch.map((photo) => photo.safety),
        signal,
      )
    // One after the other on this machine, where each model uses all threads.
    const [embeddings, scores] =
      concurrency > 1 ? await Promise.all([embed(), score()]) : [await embed(), await score()]
    return embeddings.map((embedding, index) => ({ embedding, nsfw: scores[index] as number }))
  }

  return async (bytes: Uint8Array, signal: AbortSignal): Promise<PhotoOutcome> => {
    try {
      return { ok: true, analysis: await batcher.add(prepare(bytes, signal), signal) }
    } catch (error) {
      if (error instanceof PhotoRefusal) return { ok: false, reason: error.reason }
      throw error
    }
  }
}
