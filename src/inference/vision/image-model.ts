import { Tensor, type InferenceSession } from 'onnxruntime-node'
import { findBatchLimit } from './batch-limit.js'
import type { ImagePreparation } from './image-preparation.js'
import { checkInputs, hasFixedBatch, runForRows } from './session-rows.js'
import { runInBatches } from './run-in-batches.js'

export interface ImageModelOptions {
  input: string
  output: string
  preparation: ImagePreparation
  /** Columns the output must have. Unset: any number. */
  width?: number
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
  const { input, output, preparation, width, warmEverySize } = options
  checkInputs(session, [input])
  const { crop, layout } = preparation
  const shape = layout === 'nchw' ? [3, crop.height, crop.width] : [crop.height, crop.width, 3]
  const length = 3 * crop.height * crop.width

  async function run(images: readonly Float32Array[]): Promise<Float32Array[]> {
    const pixels = new Float32Array(images.length * length)
    for (const [index, image] of images.entries()) pixels.set(image, index * length)
    const feeds = { [input]: new Tensor('float32', pixels, [images.length, ...shape]) }
    return runForRows(session, feeds, { output, count: images.length, width })
  }

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

function wave(length: number, amplitude: number): Float32Array {
  return Float32Array.from({ length }, (_, index) => amplitude * Math.sin(index * 0.37))
}
