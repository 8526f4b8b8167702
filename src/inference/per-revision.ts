import type { VisionModel } from './encoder/vision.js'

/**
 * Makes a thing once for each revision of the vision model: later calls share it, a swap of the model makes a new
 * one, and what failed is tried again.
 */
export function perRevision<T>(vision: VisionModel, make: () => Promise<T>): () => Promise<T> {
  let made: { revision: string; thing: Promise<T> } | undefined
  return async () => {
    const revision = vision.revision()
    if (made?.revision !== revision) {
      const thing = make()
      const attempt = { revision, thing }
      made = attempt
      thing.catch(() => {
        if (made === attempt) made = undefined
      })
    }
    return made.thing
  }
}

/**
 * Runs work whose embeddings must all come from one revision; when the model is swapped meanwhile, runs it again.
 */
export async function withOneRevision<T>(vision: VisionModel, work: () => Promise<T>): Promise<T> {
  for (;;) {
    const revision = vision.revision()
    const result = await work()
    if (vision.revision() === revision) return result
  }
}
