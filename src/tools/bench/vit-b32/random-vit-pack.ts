import { execFileSync } from 'node:child_process'
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
import { PROJECT_FOLDER } from '../../project-folder.js'
import { seededRandom } from '../../../core/seeded-random.js'
import { peerScript } from '../peers/peer-process.js'

const PACK_NAME = 'vit-b32-random'
const VISION_MODEL = 'vision_model.onnx'
/** Graphs without weights; they are not compiled, so they are read from the source. */
const TEMPLATES = path.join(PROJECT_FOLDER, 'src', 'tools', 'bench', 'vit-b32')
const PROJECT_MODELS = path.join(PROJECT_FOLDER, 'models')
const BENCH_MODELS = path.join(PROJECT_FOLDER, '.cache', 'bench', 'models')
/** Weights that are drawn before each write. */
const CHUNK_VALUES = 1 << 20
const SEED = 20

/** A CLIP pack with the image tower of a ViT-B/32 in full size, random weights, and a text tower of negligible cost. */
export interface VitPack {
  name: string
  /** Models folder with the packs of the project and this one. */
  modelsDir: string
  /** ONNX file of the image tower. */
  visionModel: string
}

/** The contents of weights.json. */
interface WeightsTemplate {
  file: string
  /** `offset` in bytes, `count` in float32 values. */
  tensors: { offset: number; count: number; mean: number; std: number }[]
}

/** Makes the pack if it does not exist yet. */
export function prepareVitPack(): VitPack {
  mkdirSync(BENCH_MODELS, { recursive: true })
  for (const name of readdirSync(PROJECT_MODELS)) {
    const link = path.join(BENCH_MODELS, name)
    if (!existsSync(link)) symlinkSync(path.join(PROJECT_MODELS, name), link)
  }
  const pack = packOf(PACK_NAME)
  if (!hasManifest(pack)) {
    console.error('▸ Filling a ViT-B/32 with random weights (351 MB, once) …')
    writeVisionTower(copyTextTower(pack))
    writeManifest(pack, MANIFEST)
  }
  return pack
}

/**
 * Makes the pack with int8 weights if it does not exist yet.
 * @param python - one with `onnx` and `onnxruntime`
 */
export function prepareInt8VitPack(python: string): VitPack {
  const { visionModel } = prepareVitPack()
  const pack = packOf(`${PACK_NAME}-int8`)
  if (!hasManifest(pack)) {
    console.error('▸ Quantizing the ViT-B/32 (once) …')
    copyTextTower(pack)
    const args = [peerScript('quantize_onnx.py'), visionModel, pack.visionModel]
    execFileSync(python, args, { stdio: 'inherit' })
    writeManifest(pack, { ...MANIFEST, name: pack.name, title: `${MANIFEST.title}, int8` })
  }
  return pack
}

function packOf(name: string): VitPack {
  const visionModel = path.join(BENCH_MODELS, name, VISION_MODEL)
  return { name, modelsDir: BENCH_MODELS, visionModel }
}

function folderOf({ modelsDir, name }: VitPack): string {
  return path.join(modelsDir, name)
}

function hasManifest(pack: VitPack): boolean {
  return existsSync(path.join(folderOf(pack), 'pack.json'))
}

function writeVisionTower(folder: string): void {
  copyFileSync(path.join(TEMPLATES, VISION_MODEL), path.join(folder, VISION_MODEL))
  const template = readFileSync(path.join(TEMPLATES, 'weights.json'), 'utf8')
  const { file, tensors } = JSON.parse(template) as WeightsTemplate
  const partial = path.join(folder, `${file}.part`)
  writeRandomWeights(partial, tensors)
  renameSync(partial, path.join(folder, file))
}

/** Copies all files of a pack except its image tower and manifest. Returns the folder. */
function copyTextTower(pack: VitPack): string {
  const folder = folderOf(pack)
  mkdirSync(folder, { recursive: true })
  copyFileSync(path.join(TEMPLATES, 'text_model.onnx'), path.join(folder, 'text_model.onnx'))
  for (const file of ['tokenizer.json', 'tokenizer_config.json']) {
    copyFileSync(path.join(PROJECT_MODELS, 'clip-lite', file), path.join(folder, file))
  }
  writeFileSync(path.join(folder, 'preprocessor_config.json'), JSON.stringify(PREPROCESSOR))
  return folder
}

function writeManifest(pack: VitPack, manifest: typeof MANIFEST): void {
  const folder = folderOf(pack)
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

/** Draws each tensor uniformly from mean ± √3 · std, which has that mean and standard deviation. */
function writeRandomWeights(file: string, tensors: WeightsTemplate['tensors']): void {
  const random = seededRandom(SEED)
  const output = openSync(file, 'w')
  for (const { offset, count, mean, std } of tensors) {
    const range = Math.sqrt(3) * std
    for (let start = 0; start < count; start += CHUNK_VALUES) {
      const values = Float32Array.from(
        { length: Math.min(CHUNK_VALUES, count - start) },
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
  name: PACK_NAME,
  role: 'clip',
  title: 'ViT-B/32 with random weights, for benchmarks',
  homepage: 'https://huggingface.co/openai/clip-vit-base-patch32',
  licence: { spdx: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
  clip: {
    vision: { model: VISION_MODEL },
    text: { model: 'text_model.onnx', inputs: ['input_ids', 'attention_mask'], maxTokens: 77 },
    embeddingDimension: 512,
    logitScale: 100,
  },
}
