import { seedOf } from '../text/seed.js'

/** Numbers in [0, 1) that depend on the parts alone. */
export function createRandom(parts: readonly (string | number)[]): () => number {
  let drawn = 0
  return () => seedOf([...parts, drawn++]) / 2 ** 31
}
