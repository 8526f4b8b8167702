import { Tensor, type InferenceSession } from 'onnxruntime-node'
import { findBatchLimit } from './batch-limit.js'
import type { ImagePreparation } from './image-preparation.js'
import { checkInputs, hasFixedBatch, runForRows } from './session-rows.js'
import { runInBatches } from './run-in-batches.js'

/** Tensors of an image model. */
export interface ImageModelSection {
  input: string
  output: string
  preparation: ImagePreparation
  /** Columns the output must have. Unset: any number. */
  width?: number
}

export interface ImageModelOptions extends ImageModelSection {
  /** Most images in one run. */
  batchLimit: number
  /** See `Batching.warmEverySize`. */
  warmEverySize: boolean
}

export interface ImageModel {
  preparation: ImagePreparation
  /**
   * @param images - each as `prepareImage` gives it for this preparation
   * @returns one output row for each image, in order
   */
  run(images: readonly Float32Array[]): Promise<Float32Array[]>
}

/**
 * An image model that has run at least once.
 * @throws PackMismatchError when it does not take or give what the options say
 */
export async function openImageModel(
  session: InferenceSession,
  options: ImageModelOptions,
): Promise<ImageModel> {
  const { input, preparation, warmEverySize } = options
  checkInputs(session, [input])
  const run = (images: readonly Float32Array[]) => runBatch(session, options, images)
  const length = valuesOf(preparation)
  const limit = await findBatchLimit(run, {
    probe: wave(length, 1),
    neighbour: wave(length, 50),
    limit: hasFixedBatch(session, input) ? 1 : options.batchLimit,
  })
  if (warmEverySize) {
    for (let size = 4; size <= limit; size *= 2) {
      await run(Array.from({ length: size }, () => new Float32Array(length)))
    }
  }
  return { preparation, run: (images) => runInBatches(images, limit, run) }
}

/**
 * Rows for two images that are always the same, computed together if the model allows it.
 * @throws Error when it does not take or give what the section says
 */
export function probeImageModel(
  session: InferenceSession,
  section: ImageModelSection,
): Promise<Float32Array[]> {
  const length = valuesOf(section.preparation)
  const images = [wave(length, 1), wave(length, 50)]
  const count = hasFixedBatch(session, section.input) ? 1 : images.length
  return runBatch(session, section, images.slice(0, count))
}

function runBatch(
  session: InferenceSession,
  { input, output, preparation, width }: ImageModelSection,
  images: readonly Float32Array[],
): Promise<Float32Array[]> {
  const { crop, layout } = preparation
  const shape = layout === 'nchw' ? [3, crop.height, crop.width] : [crop.height, crop.width, 3]
  const length = valuesOf(preparation)
  const pixels = new Float32Array(images.length * length)
  for (const [index, image] of images.entries()) pixels.set(image, index * length)
  const feeds = { [input]: new Tensor('float32', pixels, [images.length, ...shape]) }
  return runForRows(session, feeds, { output, count: images.length, width })
}

function valuesOf({ crop }: ImagePreparation): number {
  return 3 * crop.height * crop.width
}

function wave(length: number, amplitude: number): Float32Array {
  return Float32Array.from({ length }, (_, index) => amplitude * Math.sin(index * 0.37))
}
