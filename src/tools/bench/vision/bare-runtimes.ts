import { InferenceSession, Tensor } from 'onnxruntime-node'
import sharp from 'sharp'
import { THREADS } from '../service/start-standalone-worker.js'
import { SAFETY_MODEL, takePhotoFiles, type VisionRuntime } from './vision-contender.js'

const EDGE = 224
const AREA = EDGE ** 2
const VALUES = AREA * 3
const CLIP = {
  mean: [0.48145466, 0.4578275, 0.40821073],
  std: [0.26862954, 0.26130258, 0.27577711],
} as const
/** Preprocessing of open-nsfw: photos are stretched to `edge` before a centre crop; the means are in BGR. */
const SAFETY = { edge: 256, mean: [104, 117, 123] } as const
const CHANNELS = [0, 1, 2] as const

/** Input tensors of both models for the same photos. */
interface Inputs {
  photos: number
  /** [photos, 3, 224, 224] */
  clip: Float32Array
  /** [photos, 224, 224, 3] */
  safety: Float32Array
}

export interface BareRuntimes {
  /** Upper bound for this runtime: both models on pixels that already exist. */
  compute: VisionRuntime<number>
  /** The same photos as the others, decoded with the few calls that a direct implementation needs. */
  decodeAndCompute: VisionRuntime<Buffer[]>
}

/**
 * Runs both vision models without the service.
 * @param visionModel - ONNX file of the image tower
 */
export async function openBareRuntimes(visionModel: string): Promise<BareRuntimes> {
  const options = { intraOpNumThreads: THREADS, logSeverityLevel: 3 } as const
  const clip = await InferenceSession.create(visionModel, options)
  const safety = await InferenceSession.create(SAFETY_MODEL, options)
  const compute = async (inputs: Inputs): Promise<void> => {
    const { photos } = inputs
    await runSession(clip, inputs.clip, [photos, 3, EDGE, EDGE])
    await runSession(safety, inputs.safety, [photos, EDGE, EDGE, 3])
  }
  const pixels = createPixelSource()
  return {
    compute: {
      prepare: (photos) => photos,
      analyze: (photos) => compute({ photos, clip: pixels(photos), safety: pixels(photos) }),
      close: () => Promise.all([clip.release(), safety.release()]),
    },
    decodeAndCompute: {
      prepare: takePhotoFiles,
      analyze: async (files) => compute(await decodePhotos(files)),
    },
  }
}

async function runSession(
  session: InferenceSession,
  values: Float32Array,
  shape: readonly number[],
): Promise<void> {
  await session.run({ [session.inputNames[0]!]: new Tensor('float32', values, shape) })
}

/** Random values for a number of photos; they are drawn once and reused. */
function createPixelSource(): (photos: number) => Float32Array {
  let values = new Float32Array()
  return (photos) => {
    const length = photos * VALUES
    if (length > values.length) values = new Float32Array(length).map(Math.random)
    return values.subarray(0, length)
  }
}

async function decodePhotos(files: readonly Buffer[]): Promise<Inputs> {
  const photos = files.length
  const clip = new Float32Array(photos * VALUES)
  const safety = new Float32Array(photos * VALUES)
  await Promise.all(
    files.map(async (file, index) => {
      const place = [index * VALUES, (index + 1) * VALUES] as const
      const decoded = await decodePhoto(file)
      normalizeForClip(decoded.forClip, clip.subarray(...place))
      normalizeForSafety(decoded.forSafety, safety.subarray(...place))
    }),
  )
  return { photos, clip, safety }
}

/** RGB pixels, 224 × 224, as each model expects them. */
async function decodePhoto(file: Buffer): Promise<{ forClip: Buffer; forSafety: Buffer }> {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const photo = () => sharp(data, { raw: { width, height, channels: 3 } })
  const border = (SAFETY.edge - EDGE) / 2
  const [forClip, forSafety] = await Promise.all([
    photo().resize(EDGE, EDGE, { kernel: 'cubic' }).raw().toBuffer(),
    photo()
      .resize(SAFETY.edge, SAFETY.edge, { fit: 'fill', kernel: 'linear' })
      .extract({ left: border, top: border, width: EDGE, height: EDGE })
      .raw()
      .toBuffer(),
  ])
  return { forClip, forSafety }
}

/** Writes RGB planes. */
function normalizeForClip(pixels: Buffer, target: Float32Array): void {
  for (const channel of CHANNELS) {
    const [mean, std] = [CLIP.mean[channel] * 255, CLIP.std[channel] * 255]
    for (let i = 0; i < AREA; i++) {
      target[channel * AREA + i] = (pixels[i * 3 + channel]! - mean) / std
    }
  }
}

/** Writes interleaved BGR. */
function normalizeForSafety(pixels: Buffer, target: Float32Array): void {
  for (const channel of CHANNELS) {
    const mean = SAFETY.mean[channel]
    for (let i = 0; i < AREA; i++) target[i * 3 + channel] = pixels[i * 3 + 2 - channel]! - mean
  }
}
