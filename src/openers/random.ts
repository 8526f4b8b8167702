import { seededRandom } from '../core/seeded-random.js'
import { seedOf } from '../text/seed.js'

/** A generator of numbers in [0, 1); the same parts give the same sequence. */
export function createRandom(parts: readonly (string | number)[]): () => number {
  return seededRandom(seedOf(parts))
}
