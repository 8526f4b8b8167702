import { Tensor } from 'onnxruntime-node'
import { findBatchLimit } from './batch-limit.js'
import type { ImagePreparation } from './image-preparation.js'
import type { ModelSession } from './model-session.js'
import type { ImageInput } from './prepare-image.js'
import { checkInputs, hasFixedBatch, runForRows } from './session-rows.js'
import { runInBatches } from './run-in-batches.js'

/** An input that writes nothing, for runs whose result is unused. */
export const BLANK_IMAGE: ImageInput = () => {}

/** Tensors of an image model. */
export interface ImageModelSection {
  input: string
  output: string
  preparation: ImagePreparation
  /** Required columns of the output. Default: any number. */
  width?: number
}

export interface ImageModelOptions extends ImageModelSection {
  /** Largest batch. */
  batchLimit: number
  /** See `Batching.warmEverySize`. */
  warmEverySize: boolean
  /** See `runInBatches`. Default: false. */
  isParallel?: boolean
}

export interface ImageModel {
  preparation: ImagePreparation
  /**
   * @param images - from `prepareImage` with this preparation
   * @returns one output row for each image, in order
   */
  run(images: readonly ImageInput[], signal?: AbortSignal): Promise<Float32Array[]>
}

/**
 * Opens an image model and runs it at least once.
 * @throws PackMismatchError when inputs or outputs differ from the options
 */
export async function openImageModel(
  session: ModelSession,
  options: ImageModelOptions,
): Promise<ImageModel> {
  const { input, preparation, warmEverySize } = options
  checkInputs(session, [input])
  let memory = new Float32Array()
  // Runs share memory, since allocating it would take longer than writing the pixels: they overlap only at engines, to which the pixels are
  // copied at once.
  const allocate = (length: number) => {
    if (length > memory.length) memory = new Float32Array(length)
    return memory.subarray(0, length)
  }
  const run = (images: readonly ImageInput[], signal?: AbortSignal) =>
    runBatch(session, options, { images, allocate, signal })
  const limit = await findBatchLimit(run, {
    probe: wave(1),
    neighbour: wave(50),
    limit: hasFixedBatch(session, input) ? 1 : options.batchLimit,
  })
  // Running the largest batch allocates the memory of a busy worker at start. Batches below four have run by now.
  for (let size = warmEverySize ? 4 : Math.max(4, limit); size <= limit; size *= 2) {
    await run(Array.from({ length: size }, () => BLANK_IMAGE))
  }
  return {
    preparation,
    run: (images, signal) =>
      runInBatches(images, limit, (batch) => run(batch, signal), options.isParallel),
  }
}

function runBatch(
  session: ModelSession,
  { input, output, preparation, width }: ImageModelSection,
  { images, allocate, signal }: ImageBatch,
): Promise<Float32Array[]> {
  const { crop, layout } = preparation
  const shape = layout === 'nchw' ? [3, crop.height, crop.width] : [crop.height, crop.width, 3]
  const length = 3 * crop.height * crop.width
  const pixels = allocate(images.length * length)
  for (const [index, write] of images.entries()) {
    write(pixels.subarray(index * length, (index + 1) * length))
  }
  const feeds = { [input]: new Tensor('float32', pixels, [images.length, ...shape]) }
  return runForRows(session, feeds, { output, count: images.length, width, signal })
}

interface ImageBatch {
  images: readonly ImageInput[]
  allocate: (length: number) => Float32Array
  signal: AbortSignal | undefined
}

function wave(amplitude: number): ImageInput {
  return (tensor) => {
    for (const index of tensor.keys()) tensor[index] = amplitude * Math.sin(index * 0.37)
  }
}
