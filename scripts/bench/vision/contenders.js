import { existsSync } from 'node:fs'
import path from 'node:path'
import { run, projectDir } from '../../prepare.js'
import { startWorker } from '../../../dist/inference/workers/start-worker.js'
import { roleEnvironment } from '../../../dist/inference/workers/role-environment.js'
import { openPack } from '../../../dist/packs/open-pack.js'
import { startPeerProcess, startPeerServer } from '../peers/process.js'
import { matchBody, newPhoto, readPairs } from '../profiles.js'
import { freePort, startServer } from '../server-under-test.js'
import { contender, photoFiles, SAFETY_MODEL, threads } from './contender.js'

const PHOTOS_OF_A_MATCH = 16
/** More in a request are refused by infinity_emb 0.0.77. */
const PHOTOS_FOR_INFINITY = 32
const TOLD_CHARACTERS = 300

/**
 * The vision worker with photos as files, without HTTP.
 * @param {string} name
 * @param {import('../vit-b32/pack.js').VitPack} pack
 */
export async function openVisionWorker(name, { name: packName, modelsDir }) {
  const config = { modelsDir, modelsOffline: true, hub: { endpoint: '' }, secrets: {} }
  const packs = /** @type {any} */ (config)
  const settings = {
    clip: await openPack(packs, packName, 'clip'),
    photoSafety: await openPack(packs, 'open-nsfw', 'photo-safety'),
    bioSafety: await openPack(packs, 'bio-safety-e5-small', 'bio-safety'),
    match: await openPack(packs, 'match-minilm', 'match'),
    threads,
    device: 'cpu',
  }
  const log = /** @type {any} */ ({ debug() {}, info() {}, warn() {}, error: console.error })
  const environment = roleEnvironment('vision', threads)
  const worker = await startWorker('vision', settings, { log, environment })
  return contender(name, {
    prepare: photoFiles,
    analyze: async (photos) => void (await worker.call('analyzePhotos', { photos })),
    close: () => worker.drain(),
  })
}

/**
 * Matches over HTTP whose photos are new and whose texts are known, so that photos are all there is to compute.
 * @param {string} name
 * @param {import('../vit-b32/pack.js').VitPack} pack
 */
export async function openService(name, pack) {
  const server = await startServer({ MODELS_DIR: pack.modelsDir, CLIP_PACK: pack.name })
  const [pair] = readPairs()
  const bodyOf = (/** @type {number} */ photos) => {
    const body = matchBody(pair, { withPreferences: true })
    const half = Math.ceil(photos / 2)
    body.user_a.photos = Array.from({ length: half }, (_, index) => newPhoto(index))
    if (photos > 1) {
      body.user_b.photos = Array.from({ length: photos - half }, (_, index) => newPhoto(index + 3))
    }
    return JSON.stringify(body)
  }
  const match = async (/** @type {string} */ body) => {
    const response = await fetch(`${server.baseUrl}/v1/match/evaluate`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${server.apiKey}`,
        'Content-Type': 'application/json',
        'X-Service-Synthetic': 'never',
      },
      body,
    })
    if (!response.ok) throw new Error(`match: ${response.status} ${await response.text()}`)
    await response.arrayBuffer()
  }
  return contender(name, {
    prepare: (photos) => requestsOf(photos, PHOTOS_OF_A_MATCH).map(bodyOf),
    analyze: async (bodies) => void (await Promise.all(bodies.map(match))),
    close: () => server.close(),
  })
}

/** So many photos in as few requests of equal size as one allows. */
function requestsOf(/** @type {number} */ photos, /** @type {number} */ most) {
  const requests = Math.ceil(photos / most)
  return Array.from({ length: requests }, () => photos / requests)
}

/**
 * Both models in Python, on photos that are decoded already.
 * @param {string} python
 * @param {import('../vit-b32/pack.js').VitPack} pack
 */
export async function openPythonRuntime(python, { visionModel }) {
  const script = path.join(projectDir, 'scripts', 'bench', 'peers', 'onnxruntime_peer.py')
  const peer = await startPeerProcess(python, [script, String(threads), visionModel, SAFETY_MODEL])
  return {
    name: `Python onnxruntime ${peer.hello.version}, bare`,
    analyze: async (/** @type {number} */ batch, /** @type {number} */ runs) =>
      (await peer.ask({ batch, runs })).seconds,
    close: peer.close,
  }
}

/**
 * infinity_emb with a CLIP of the same architecture on PyTorch; it decodes and embeds, and has no safety model.
 * @param {string} name
 * @param {string} bin - folder of its command
 */
export async function openPythonServer(name, bin) {
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
  const bodyOf = (/** @type {number} */ photos) => {
    const input = Array.from({ length: photos }, (_, index) => newPhoto(index))
    return JSON.stringify({ model: 'random-clip', input, modality: 'image' })
  }
  const embed = async (/** @type {string} */ body) => {
    const response = await fetch(`${url}/embeddings`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    })
    if (!response.ok) {
      // It repeats the photos that it refuses.
      const problem = (await response.text()).slice(0, TOLD_CHARACTERS)
      throw new Error(`infinity: ${response.status} ${problem}`)
    }
    await response.arrayBuffer()
  }
  return contender(name, {
    prepare: (photos) => requestsOf(photos, PHOTOS_FOR_INFINITY).map(bodyOf),
    analyze: async (bodies) => void (await Promise.all(bodies.map(embed))),
    close: server.close,
  })
}
