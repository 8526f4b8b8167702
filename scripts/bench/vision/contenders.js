import { existsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { run, projectDir } from '../../prepare.js'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { startWorker } from '../../../dist/inference/start-worker.js'
import { openPack } from '../../../dist/models/open-pack.js'
import { findPeer, startPeerProcess, startPeerServer } from '../peers/process.js'
import { knownPhoto, matchBody, newPhoto, readPairs } from '../profiles.js'
import { freePort, startServer } from '../server-under-test.js'
import { prepareVitPack, VIT_PACK } from '../vit-b32/pack.js'

/**
 * @typedef {object} Contender
 * @property {string} name
 * @property {string} [version]
 * @property {(photos: number, runs: number) => Promise<number>} analyze seconds for some runs with so many photos each
 * @property {() => Promise<void>} [one] analyses one photo, for open load
 * @property {() => Promise<unknown>} close
 */

const PHOTOS_OF_A_MATCH = 16
/** More in a request are refused by infinity_emb 0.0.77. */
const PHOTOS_FOR_INFINITY = 32
const TOLD_CHARACTERS = 300
const threads = os.availableParallelism()

/** Both models of the service on photos that are decoded already: nothing can be faster with this runtime. */
export async function openBareRuntime() {
  const { visionModel } = prepareVitPack()
  const options = { intraOpNumThreads: threads, logSeverityLevel: /** @type {const} */ (3) }
  const models = [
    { file: visionModel, shape: [3, 224, 224] },
    { file: safetyModel(), shape: [224, 224, 3] },
  ]
  const sessions = await Promise.all(
    models.map(({ file }) => InferenceSession.create(file, options)),
  )
  /** @type {(photos: number) => Promise<void>} */
  const analyze = async (photos) => {
    for (const [index, session] of sessions.entries()) {
      const { shape } = models[index]
      const pixels = new Float32Array(photos * shape.reduce((product, size) => product * size))
      const input = session.inputNames[0]
      await session.run({ [input]: new Tensor('float32', pixels, [photos, ...shape]) })
    }
  }
  return contender('onnxruntime-node, bare', analyze, () =>
    Promise.all(sessions.map((session) => session.release())),
  )
}

/** The vision worker with photos as files, without HTTP. */
export async function openVisionWorker() {
  const { modelsDir } = prepareVitPack()
  const config = { modelsDir, modelsOffline: true, hub: { endpoint: '' }, secrets: {} }
  const packs = /** @type {any} */ (config)
  const settings = {
    clip: await openPack(packs, VIT_PACK, 'clip'),
    photoSafety: await openPack(packs, 'open-nsfw', 'photo-safety'),
    bioSafety: await openPack(packs, 'bio-safety-minilm', 'bio-safety'),
    threads,
    device: 'cpu',
  }
  const log = /** @type {any} */ ({ debug() {}, info() {}, warn() {}, error: console.error })
  const environment = { MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: String(threads + 2) }
  const worker = await startWorker('vision', settings, { log, environment })
  const file = (/** @type {number} */ index) =>
    Buffer.from(knownPhoto(index).split(',')[1] ?? '', 'base64')
  const files = Array.from({ length: 6 }, (_, index) => file(index))
  /** @type {(photos: number) => Promise<void>} */
  const analyze = async (photos) => {
    const batch = Array.from({ length: photos }, (_, index) => files[index % files.length])
    await worker.call('analyzePhotos', { photos: batch })
  }
  return contender('vision worker', analyze, () => worker.drain())
}

/** Matches over HTTP whose photos are new and whose texts are known, so that photos are all there is to compute. */
export async function openService() {
  const { modelsDir } = prepareVitPack()
  const server = await startServer({ MODELS_DIR: modelsDir, CLIP_PACK: VIT_PACK })
  const [pair] = readPairs()
  const match = async (/** @type {number} */ photos) => {
    const body = matchBody(pair, { withPreferences: true })
    const half = Math.ceil(photos / 2)
    body.user_a.photos = Array.from({ length: half }, (_, index) => newPhoto(index))
    if (photos > 1) {
      body.user_b.photos = Array.from({ length: photos - half }, (_, index) => newPhoto(index + 3))
    }
    const response = await fetch(`${server.baseUrl}/v1/match/evaluate`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${server.apiKey}`,
        'Content-Type': 'application/json',
        'X-Service-Synthetic': 'never',
      },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`match: ${response.status} ${await response.text()}`)
    await response.arrayBuffer()
  }
  /** @type {(photos: number) => Promise<void>} */
  const analyze = async (photos) => {
    const matches = Math.ceil(photos / PHOTOS_OF_A_MATCH)
    await Promise.all(Array.from({ length: matches }, () => match(photos / matches)))
  }
  return contender('service over HTTP', analyze, () => server.close())
}

/** Both models in Python, on photos that are decoded already. */
export async function openPythonRuntime() {
  const python = findPeer('BENCH_PYTHON', 'Python onnxruntime')
  if (!python) return undefined
  const { visionModel } = prepareVitPack()
  const script = path.join(projectDir, 'scripts', 'bench', 'peers', 'onnxruntime_peer.py')
  const peer = await startPeerProcess(python, [script, String(threads), visionModel, safetyModel()])
  return {
    name: `Python onnxruntime ${peer.hello.version}, bare`,
    analyze: async (/** @type {number} */ batch, /** @type {number} */ runs) =>
      (await peer.ask({ batch, runs })).seconds,
    close: peer.close,
  }
}

/** infinity_emb with a CLIP of the same architecture on PyTorch; it decodes and embeds, and has no safety model. */
export async function openPythonServer() {
  const bin = findPeer('BENCH_INFINITY', 'the Python CLIP server')
  if (!bin) return undefined
  const model = path.join(projectDir, '.cache', 'bench', 'random-clip')
  if (!existsSync(model)) {
    const script = path.join(projectDir, 'scripts', 'bench', 'peers', 'make_random_clip.py')
    run(path.join(bin, 'python'), [script, model])
  }
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = await startPeerServer({
    command: path.join(bin, 'infinity_emb'),
    args: [
      'v2',
      '--model-id',
      model,
      '--served-model-name',
      'random-clip',
      '--device',
      'cpu',
      '--port',
      String(port),
    ],
    env: { DO_NOT_TRACK: '1', HF_HUB_OFFLINE: '1', OMP_NUM_THREADS: String(threads) },
    readyUrl: `${url}/health`,
  })
  const embed = async (/** @type {number} */ photos) => {
    const input = Array.from({ length: photos }, (_, index) => newPhoto(index))
    const response = await fetch(`${url}/embeddings`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ model: 'random-clip', input, modality: 'image' }),
    })
    if (!response.ok) {
      // It repeats the photos that it refuses.
      const problem = (await response.text()).slice(0, TOLD_CHARACTERS)
      throw new Error(`infinity: ${response.status} ${problem}`)
    }
    await response.arrayBuffer()
  }
  /** @type {(photos: number) => Promise<void>} */
  const analyze = async (photos) => {
    const requests = Math.ceil(photos / PHOTOS_FOR_INFINITY)
    await Promise.all(Array.from({ length: requests }, () => embed(photos / requests)))
  }
  return contender('infinity_emb over HTTP', analyze, server.close)
}

/**
 * @param {string} name
 * @param {(photos: number) => Promise<void>} analyze
 * @param {() => Promise<unknown>} close
 */
function contender(name, analyze, close) {
  return {
    name,
    analyze: async (/** @type {number} */ photos, /** @type {number} */ runs) => {
      const startedAt = performance.now()
      for (let index = 0; index < runs; index++) await analyze(photos)
      return (performance.now() - startedAt) / 1_000
    },
    one: () => analyze(1),
    close,
  }
}

function safetyModel() {
  return path.join(projectDir, 'models', 'open-nsfw', 'open-nsfw.onnx')
}
