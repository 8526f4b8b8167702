import type { PhotoSafetyPack } from '../../packs/open-pack.js'
import type { Batching } from './batching.js'
import { BLANK_IMAGE, openImageModel } from './image-model.js'
import type { ModelSession } from './model-session.js'
import type { ImageInput } from './prepare-image.js'
import { photoSafetyPreparation, type ImagePreparation } from './image-preparation.js'
import { unsafeScore } from './unsafe-score.js'

export interface PhotoSafety {
  preparation: ImagePreparation
  /**
   * @param images - from `prepareImage` with the preparation
   * @returns for each image the probability in [0, 1] that it is not safe for work
   */
  score(images: readonly ImageInput[], signal?: AbortSignal): Promise<number[]>
}

/**
 * @throws PackMismatchError when the classifier does not fit the pack's section
 */
export async function openPhotoSafety(
  { photoSafety: section }: PhotoSafetyPack,
  session: ModelSession,
  batching: Batching,
): Promise<PhotoSafety> {
  const model = await openImageModel(session, {
    input: section.input.name,
    output: section.output.name,
    preparation: photoSafetyPreparation(section),
    batchLimit: batching.photos,
    warmEverySize: batching.warmEverySize,
    isParallel: batching.concurrency > 1,
  })
  async function score(images: readonly ImageInput[], signal?: AbortSignal): Promise<number[]> {
    return (await model.run(images, signal)).map((row) => unsafeScore(row, section.output))
  }
  // Computed once now, so that unknown classes fail the load and not a request.
  await score([BLANK_IMAGE])
  return { preparation: model.preparation, score }
}
