import { InferenceSession, Tensor } from 'onnxruntime-node'
import sharp from 'sharp'
import { photoFiles, SAFETY_MODEL, threads } from './contender.js'

const EDGE = 224
const AREA = EDGE ** 2
const VALUES = AREA * 3
const CLIP = {
  mean: [0.48145466, 0.4578275, 0.40821073],
  std: [0.26862954, 0.26130258, 0.27577711],
}
/** Of open-nsfw: the edge that photos are stretched to before the middle is cut out, and its means in BGR. */
const SAFETY = { edge: 256, mean: [104, 117, 123] }

/**
 * Both models of the service without the service: on pixels that are there already, than which nothing can be faster with
 * this runtime, and on the same photos as the others, decoded by the few calls that one would write for it.
 * @param {string} visionModel - file of the ViT
 */
export async function openBareRuntimes(visionModel) {
  const options = { intraOpNumThreads: threads, logSeverityLevel: /** @type {const} */ (3) }
  const models = [
    { file: visionModel, shape: [3, EDGE, EDGE] },
    { file: SAFETY_MODEL, shape: [EDGE, EDGE, 3] },
  ]
  const sessions = await Promise.all(
    models.map(({ file }) => InferenceSession.create(file, options)),
  )
  /** @type {(photos: number, inputs: Float32Array[]) => Promise<void>} */
  const run = async (photos, inputs) => {
    for (const [index, session] of sessions.entries()) {
      const tensor = new Tensor('float32', inputs[index], [photos, ...models[index].shape])
      await session.run({ [session.inputNames[0]]: tensor })
    }
  }
  const pixels = createPixels()
  return {
    compute: {
      prepare: (/** @type {number} */ photos) => photos,
      analyze: (/** @type {number} */ photos) => run(photos, [pixels(photos), pixels(photos)]),
      close: () => Promise.all(sessions.map((session) => session.release())),
    },
    decodeAndCompute: {
      prepare: photoFiles,
      analyze: async (/** @type {Buffer[]} */ files) => run(files.length, await decode(files)),
    },
  }
}

/** Random values for so many photos, made once. */
function createPixels() {
  let values = new Float32Array()
  return (/** @type {number} */ photos) => {
    const length = photos * VALUES
    if (length > values.length) values = new Float32Array(length).map(Math.random)
    return values.subarray(0, length)
  }
}

/** @returns {Promise<Float32Array[]>} the input of each model for all photos */
async function decode(/** @type {Buffer[]} */ files) {
  const inputs = [new Float32Array(files.length * VALUES), new Float32Array(files.length * VALUES)]
  await Promise.all(
    files.map(async (file, index) => {
      const { data, info } = await sharp(file)
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true })
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
      const own = inputs.map((input) => input.subarray(index * VALUES, (index + 1) * VALUES))
      normalizeForClip(forClip, own[0])
      normalizeForSafety(forSafety, own[1])
    }),
  )
  return inputs
}

/** RGB in planes. */
function normalizeForClip(/** @type {Buffer} */ pixels, /** @type {Float32Array} */ into) {
  for (let channel = 0; channel < 3; channel++) {
    const [mean, std] = [CLIP.mean[channel] * 255, CLIP.std[channel] * 255]
    for (let i = 0; i < AREA; i++) {
      into[channel * AREA + i] = (pixels[i * 3 + channel] - mean) / std
    }
  }
}

/** BGR, pixel by pixel. */
function normalizeForSafety(/** @type {Buffer} */ pixels, /** @type {Float32Array} */ into) {
  for (let channel = 0; channel < 3; channel++) {
    const mean = SAFETY.mean[channel]
    for (let i = 0; i < AREA; i++) into[i * 3 + channel] = pixels[i * 3 + 2 - channel] - mean
  }
}
