import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { startWorker, type StartWorkerOptions } from '../../src/inference/workers/start-worker.js'
import type {
  PhotoAnalysis,
  PhotoOutcome,
  VisionMethods,
} from '../../src/inference/encoder/vision.js'
import type { VisionSettings } from '../../src/inference/encoder/vision-settings.js'
import type { WorkerProcess } from '../../src/inference/workers/worker-process.js'
import { openPack, type PackOf } from '../../src/packs/open-pack.js'
import type { PackRole } from '../../src/packs/manifest.js'
import { createLog } from '../../src/telemetry/log.js'

export type VisionWorker = WorkerProcess<VisionMethods>

export const PHOTO_NAMES = ['astronaut', 'cat', 'coffee', 'flower', 'rocket', 'temple'] as const
export type PhotoName = (typeof PHOTO_NAMES)[number]

const modelsDir = path.resolve('models')

/** The reason why the weights of the vision models cannot be used; undefined if they can. */
export async function missingVisionWeights(): Promise<string | undefined> {
  try {
    await visionSettings()
  } catch (error) {
    return error instanceof Error ? error.message : 'unknown error'
  }
}

/** The default packs on the CPU, for comparable results on every machine. */
export async function visionSettings(): Promise<VisionSettings> {
  return {
    clip: await open('clip-lite', 'clip'),
    photoSafety: await open('open-nsfw', 'photo-safety'),
    bioSafety: await open('bio-safety-e5-small', 'bio-safety'),
    match: await open('match-minilm', 'match'),
    threads: 2,
    device: 'cpu',
  }
}

async function open<R extends PackRole>(name: string, role: R): Promise<PackOf<R>> {
  return openPack({ modelsDir }, name, role)
}

export async function startVisionWorker(
  settings?: VisionSettings,
  options: Partial<StartWorkerOptions> = {},
): Promise<VisionWorker> {
  return startWorker<VisionMethods>('vision', settings ?? (await visionSettings()), {
    log: createLog({ level: 'silent', format: 'json' }),
    environment: {},
    ...options,
  })
}

export async function bundledPhoto(name: PhotoName): Promise<Buffer> {
  return readFile(path.join('examples/photos', `${name}.jpg`))
}

/** Analyses photos; throws if one is refused. */
export async function analyze(
  worker: VisionWorker,
  ...photos: Uint8Array[]
): Promise<PhotoAnalysis[]> {
  return (await worker.call('analyzePhotos', { photos })).map(analysisOf)
}

function analysisOf(outcome: PhotoOutcome): PhotoAnalysis {
  if (!outcome.ok) throw new Error(`a photo was refused: ${outcome.reason}`)
  return outcome.analysis
}

/** Cosine similarity of two vectors of any length. */
export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Array.from(a).reduce((sum, value, index) => sum + value * (b[index] as number), 0)
}
