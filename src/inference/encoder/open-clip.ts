import { readFile } from 'node:fs/promises'
import type { ClipPack } from '../../packs/open-pack.js'
import type { Batching } from './batching.js'
import { clipPreparation } from './clip-preparation.js'
import { openImageModel } from './image-model.js'
import type { ImagePreparation } from './image-preparation.js'
import type { ModelSession } from './model-session.js'
import type { ImageInput } from './prepare-image.js'
import { openTextModel } from './text-model.js'
import { toUnitNorm } from './unit-norm.js'

/** Two towers that embed photos and texts in one space, as [d] float32 of unit norm. */
export interface Clip {
  preparation: ImagePreparation
  /** @param images - from `prepareImage` with the preparation */
  embedPhotos(images: readonly ImageInput[], signal?: AbortSignal): Promise<Float32Array[]>
  embedTexts(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>
}

/**
 * @throws PackMismatchError when the towers do not match the pack's section
 */
export async function openClip(
  { clip: section }: ClipPack,
  sessions: { vision: ModelSession; text: ModelSession },
  batching: Batching,
): Promise<Clip> {
  const { vision, embeddingDimension: width } = section
  const photos = await openImageModel(sessions.vision, {
    ...vision,
    preparation: await readPreparation(section),
    width,
    batchLimit: batching.photos,
    warmEverySize: batching.warmEverySize,
    isParallel: batching.concurrency > 1,
  })
  const texts = await openTextModel(sessions.text, {
    section,
    width,
    batchLimit: batching.texts,
    isParallel: batching.concurrency > 1,
  })
  return {
    preparation: photos.preparation,
    embedPhotos: async (images, signal) => (await photos.run(images, signal)).map(toUnitNorm),
    embedTexts: async (captions, signal) =>
      (await texts.run(captions.map(texts.tokenizer.encode), signal)).map(toUnitNorm),
  }
}

async function readPreparation({ preprocessor, vision }: ClipPack['clip']) {
  return clipPreparation(JSON.parse(await readFile(preprocessor, 'utf8')), vision.layout)
}
