import { z } from 'zod'
import type { VisionMethods } from '../../encoder/vision.js'

/** The interface of `vision-worker`, for the service alone: both ends are of one version of it. */

/** Increases when frames or methods change. */
export const VISION_API = 'v1'
export const MODELS_PATH = `/${VISION_API}/models`
export const METHODS = [
  'analyzePhotos',
  'embedTexts',
  'classifyBio',
  'scorePairs',
] as const satisfies readonly (keyof VisionMethods)[]

/** In every answer: the revision of the models that gave it. */
export const REVISION_HEADER = 'x-model-revision'

export function methodPath(method: keyof VisionMethods): string {
  return `/${VISION_API}/${method}`
}

/** What a worker says of its models. */
export const workerModels = z.object({
  packs: z.array(z.string().max(200)).max(16),
  device: z.string().max(100),
  threads: z.int().min(1),
  revision: z.string().max(1_000),
  logit_scale: z.number().positive(),
  /** Calls of all services at present. */
  calls: z.object({ running: z.int().min(0), waiting: z.int().min(0) }),
})

export type WorkerModels = z.infer<typeof workerModels>
