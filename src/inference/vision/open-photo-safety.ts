import type { InferenceSession } from 'onnxruntime-node'
import type { PhotoSafetyPack } from '../../models/open-pack.js'
import type { Batching } from './batching.js'
import { openImageModel } from './image-model.js'
import { photoSafetyPreparation, type ImagePreparation } from './image-preparation.js'
import { unsafeScore } from './unsafe-score.js'

export interface PhotoSafety {
  preparation: ImagePreparation
  /**
   * @param images - as `prepareImage` gives them for the preparation
   * @returns for each image the probability in [0, 1] that it is not safe for work
   */
  score(images: readonly Float32Array[]): Promise<number[]>
}

/**
 * @throws PackMismatchError when the classifier does not fit the pack's section
 */
export async function openPhotoSafety(
  { photoSafety: section }: PhotoSafetyPack,
  session: InferenceSession,
  batching: Batching,
): Promise<PhotoSafety> {
  const model = await openImageModel(session, {
    input: section.input.name,
    output: section.output.name,
    preparation: photoSafetyPreparation(section),
    batchLimit: batching.photos,
    warmEverySize: batching.warmEverySize,
  })
  async function score(images: readonly Float32Array[]): Promise<number[]> {
    return (await model.run(images)).map((row) => unsafeScore(row, section.output))
  }
  // One score now, so that classes the model does not have fail the load and not a request.
  const { width, height } = model.preparation.crop
  await score([new Float32Array(3 * width * height)])
  return { preparation: model.preparation, score }
}
