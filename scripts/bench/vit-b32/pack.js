import { createHash } from 'node:crypto'
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { projectDir, run } from '../../prepare.js'
import { seededRandom } from '../../statistics/random.js'

/** Name of the pack: CLIP ViT-B/32's vision tower in real size with random weights, and a text tower that costs nothing. */
export const VIT_PACK = 'vit-b32-random'

const VISION_MODEL = 'vision_model.onnx'
const sourceDir = path.dirname(fileURLToPath(import.meta.url))
const modelsDir = path.join(projectDir, '.cache', 'bench', 'models')
const CHUNK = 1 << 20

/**
 * @typedef {object} VitPack
 * @property {string} name of the pack
 * @property {string} modelsDir a models folder with the project's packs and this one
 * @property {string} visionModel file of the vision tower
 */

/**
 * A random ViT-B/32; made once.
 * @returns {VitPack}
 */
export function prepareVitPack() {
  const folder = path.join(modelsDir, VIT_PACK)
  mkdirSync(modelsDir, { recursive: true })
  for (const name of readdirSync(path.join(projectDir, 'models'))) {
    const link = path.join(modelsDir, name)
    if (!existsSync(link)) symlinkSync(path.join(projectDir, 'models', name), link)
  }
  if (!existsSync(path.join(folder, 'pack.json'))) writePack(folder)
  return { name: VIT_PACK, modelsDir, visionModel: path.join(folder, VISION_MODEL) }
}

/**
 * The same ViT-B/32 in int8; made once.
 * @param {string} python - one with `onnx` and `onnxruntime`
 * @returns {VitPack}
 */
export function prepareInt8VitPack(python) {
  const { visionModel } = prepareVitPack()
  const name = `${VIT_PACK}-int8`
  const folder = path.join(modelsDir, name)
  const quantised = path.join(folder, VISION_MODEL)
  if (!existsSync(path.join(folder, 'pack.json'))) {
    console.error('▸ Quantising the ViT-B/32 (once) …')
    copyTextTower(folder)
    const script = path.join(projectDir, 'scripts', 'bench', 'peers', 'quantize_onnx.py')
    run(python, [script, visionModel, quantised])
    writeManifest(folder, { ...MANIFEST, name, title: `${MANIFEST.title}, int8` })
  }
  return { name, modelsDir, visionModel: quantised }
}

function writePack(/** @type {string} */ folder) {
  console.error('▸ Filling a ViT-B/32 with random weights (351 MB, once) …')
  copyTextTower(folder)
  copyFileSync(path.join(sourceDir, VISION_MODEL), path.join(folder, VISION_MODEL))
  const weights = JSON.parse(readFileSync(path.join(sourceDir, 'weights.json'), 'utf8'))
  const partial = path.join(folder, `${weights.file}.part`)
  writeWeights(partial, weights.tensors)
  renameSync(partial, path.join(folder, weights.file))
  writeManifest(folder, MANIFEST)
}

/** All of a pack but its vision tower and manifest. */
function copyTextTower(/** @type {string} */ folder) {
  mkdirSync(folder, { recursive: true })
  copyFileSync(path.join(sourceDir, 'text_model.onnx'), path.join(folder, 'text_model.onnx'))
  for (const file of ['tokenizer.json', 'tokenizer_config.json']) {
    copyFileSync(path.join(projectDir, 'models', 'clip-lite', file), path.join(folder, file))
  }
  writeFileSync(path.join(folder, 'preprocessor_config.json'), JSON.stringify(PREPROCESSOR))
}

/**
 * @param {string} folder
 * @param {typeof MANIFEST} manifest
 */
function writeManifest(folder, manifest) {
  const files = readdirSync(folder).map((file) => ({
    path: file,
    sizeBytes: statSync(path.join(folder, file)).size,
    sha256: createHash('sha256')
      .update(readFileSync(path.join(folder, file)))
      .digest('hex'),
    sources: [{ type: 'repository' }],
  }))
  writeFileSync(path.join(folder, 'pack.json'), JSON.stringify({ ...manifest, files }))
}

/**
 * Each tensor uniform in mean ± √3 · std, which has that mean and deviation.
 * @param {string} file
 * @param {{ offset: number, count: number, mean: number, std: number }[]} tensors
 */
function writeWeights(file, tensors) {
  const random = seededRandom(20)
  const output = openSync(file, 'w')
  for (const { offset, count, mean, std } of tensors) {
    const range = Math.sqrt(3) * std
    for (let start = 0; start < count; start += CHUNK) {
      const values = Float32Array.from(
        { length: Math.min(CHUNK, count - start) },
        () => mean + (2 * random() - 1) * range,
      )
      writeSync(output, values, 0, values.byteLength, offset + start * 4)
    }
  }
  closeSync(output)
}

const PREPROCESSOR = {
  size: { shortest_edge: 224 },
  resample: 3,
  do_center_crop: true,
  crop_size: { width: 224, height: 224 },
  image_mean: [0.48145466, 0.4578275, 0.40821073],
  image_std: [0.26862954, 0.26130258, 0.27577711],
}

const MANIFEST = {
  name: VIT_PACK,
  role: 'clip',
  title: 'ViT-B/32 with random weights, for benchmarks',
  homepage: 'https://huggingface.co/openai/clip-vit-base-patch32',
  licence: { spdx: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
  clip: {
    vision: { model: 'vision_model.onnx' },
    text: { model: 'text_model.onnx', inputs: ['input_ids', 'attention_mask'], maxTokens: 77 },
    embeddingDimension: 512,
    logitScale: 100,
  },
}
