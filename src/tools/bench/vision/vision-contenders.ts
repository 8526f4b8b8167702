import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { VisionSettings } from '../../../inference/encoder/vision-settings.js'
import type { VisionMethods } from '../../../inference/encoder/vision.js'
import { openPack } from '../../../packs/open-pack.js'
import { PROJECT_FOLDER } from '../../project-folder.js'
import { createMatchBody, newPhoto, readExamplePairs } from '../example-calls.js'
import { peerScript, startPeerProcess, startPeerServer } from '../peers/peer-process.js'
import { findFreePort } from '../service/find-free-port.js'
import { startService } from '../service/start-service.js'
import { startStandaloneWorker, THREADS } from '../service/start-standalone-worker.js'
import type { VitPack } from '../vit-b32/random-vit-pack.js'
import {
  createContender,
  SAFETY_MODEL,
  takePhotoFiles,
  type VisionContender,
} from './vision-contender.js'

const PHOTOS_PER_MATCH = 16
/** infinity_emb 0.0.77 refuses more in one request. */
const PHOTOS_PER_INFINITY_REQUEST = 32
const INFINITY_MODEL = 'random-clip'
const MAX_ERROR_CHARACTERS = 300

/** Starts the vision worker, which receives photos as files, without HTTP. */
export async function openVisionWorker(name: string, pack: VitPack): Promise<VisionContender> {
  const config = { modelsDir: pack.modelsDir }
  const settings: VisionSettings = {
    clip: await openPack(config, pack.name, 'clip'),
    photoSafety: await openPack(config, 'open-nsfw', 'photo-safety'),
    bioSafety: await openPack(config, 'bio-safety-e5-small', 'bio-safety'),
    match: await openPack(config, 'match-minilm', 'match'),
    threads: THREADS,
    device: 'cpu',
  }
  const worker = await startStandaloneWorker<VisionMethods>('vision', settings)
  return createContender(name, {
    prepare: takePhotoFiles,
    analyze: async (photos) => {
      await worker.call('analyzePhotos', { photos })
    },
    close: () => worker.drain(),
  })
}

/** Starts the service, which receives matches with new photos and known texts, so that only photos need computing. */
export async function openService(name: string, pack: VitPack): Promise<VisionContender> {
  const service = await startService({ MODELS_DIR: pack.modelsDir, CLIP_PACK: pack.name })
  const headers = {
    Authorization: `Bearer ${service.apiKey}`,
    'X-Service-Synthetic': 'never',
  }
  const url = `${service.baseUrl}/v1/match/evaluate`
  return createContender(name, {
    prepare: (photos) => splitEvenly(photos, PHOTOS_PER_MATCH).map(createPhotoMatch),
    analyze: async (bodies) => {
      await Promise.all(bodies.map((body) => postJson(url, body, headers)))
    },
    close: () => service.close(),
  })
}

const [examplePair] = readExamplePairs()

function createPhotoMatch(photos: number): string {
  const body = createMatchBody(examplePair!, { withPreferences: true })
  const half = Math.ceil(photos / 2)
  body.user_a.photos = Array.from({ length: half }, (_, index) => newPhoto(index))
  if (photos > 1) {
    body.user_b.photos = Array.from({ length: photos - half }, (_, index) => newPhoto(index + 3))
  }
  return JSON.stringify(body)
}

/** Splits photos into as few requests of equal size as the maximum allows; returns their sizes. */
function splitEvenly(photos: number, maxPhotos: number): number[] {
  const requests = Math.ceil(photos / maxPhotos)
  return Array.from({ length: requests }, () => photos / requests)
}

async function postJson(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  })
  if (!response.ok) {
    // infinity_emb repeats the photos that it refuses.
    const message = (await response.text()).slice(0, MAX_ERROR_CHARACTERS)
    throw new Error(`${url}: ${response.status} ${message}`)
  }
  await response.arrayBuffer()
}

/** Starts both models in Python, on random pixels. */
export async function openPythonRuntime(
  python: string,
  { visionModel }: VitPack,
): Promise<VisionContender> {
  const args = [peerScript('onnxruntime_peer.py'), String(THREADS), visionModel, SAFETY_MODEL]
  const peer = await startPeerProcess(python, args)
  const { version } = peer.hello as { version: string }
  return {
    name: `Python onnxruntime ${version}, bare`,
    analyze: async (batch, runs) => {
      const { seconds } = (await peer.ask({ batch, runs })) as { seconds: number }
      return seconds
    },
    close: peer.close,
  }
}

/**
 * Starts infinity_emb with a CLIP of the same architecture on PyTorch; it decodes and embeds, and has no safety model.
 * @param bin - folder of its command
 */
export async function openPythonServer(name: string, bin: string): Promise<VisionContender> {
  const port = await findFreePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const server = await startPeerServer({
    command: path.join(bin, 'infinity_emb'),
    args: [
      'v2',
      '--model-id',
      prepareRandomClip(bin),
      '--served-model-name',
      INFINITY_MODEL,
      '--device',
      'cpu',
      '--port',
      String(port),
    ],
    env: { DO_NOT_TRACK: '1', HF_HUB_OFFLINE: '1', OMP_NUM_THREADS: String(THREADS) },
    readyUrl: `${baseUrl}/health`,
  })
  return createContender(name, {
    prepare: (photos) => splitEvenly(photos, PHOTOS_PER_INFINITY_REQUEST).map(createEmbedding),
    analyze: async (bodies) => {
      await Promise.all(bodies.map((body) => postJson(`${baseUrl}/embeddings`, body)))
    },
    close: server.close,
  })
}

function createEmbedding(photos: number): string {
  const input = Array.from({ length: photos }, (_, index) => newPhoto(index))
  return JSON.stringify({ model: INFINITY_MODEL, input, modality: 'image' })
}

/** Makes the model once. Returns its folder. */
function prepareRandomClip(bin: string): string {
  const folder = path.join(PROJECT_FOLDER, '.cache', 'bench', 'random-clip')
  if (!existsSync(folder)) {
    const args = [peerScript('make_random_clip.py'), folder]
    execFileSync(path.join(bin, 'python'), args, { stdio: 'inherit' })
  }
  return folder
}
