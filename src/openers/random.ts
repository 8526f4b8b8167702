import { seedOf } from '../text/seed.js'

/** A generator of numbers in [0, 1); the same parts give the same sequence. */
export function createRandom(parts: readonly (string | number)[]): () => number {
  let drawn = 0
  return () => seedOf([...parts, drawn++]) / 2 ** 31
}
