import type { VisionModel } from './encoder/vision.js'

/**
 * Computes a value once for each revision of the vision model. Later calls share it, a swap of the model computes it again, and a
 * failure is not kept.
 */
export function oncePerRevision<T>(vision: VisionModel, make: () => Promise<T>): () => Promise<T> {
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
 * Runs work whose embeddings must all come from one revision, and repeats it when the model was swapped in between.
 */
export async function retryOnRevisionChange<T>(
  vision: VisionModel,
  work: () => Promise<T>,
): Promise<T> {
  for (;;) {
    const revision = vision.revision()
    const result = await work()
    if (vision.revision() === revision) return result
  }
}
