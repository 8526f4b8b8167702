import type { PhotoSafetySection } from '../../packs/role-sections.js'
import { PackMismatchError } from './pack-mismatch-error.js'

/**
 * Computes the probability in [0, 1] that a photo is not safe for work.
 * @param row - [classes] output of the classifier for one photo
 * @throws PackMismatchError when the pack names a class that the classifier lacks
 */
export function unsafeScore(
  row: Float32Array,
  { values, unsafeIndices }: PhotoSafetySection['output'],
): number {
  const probabilities = values === 'logits' ? softmax(row) : row
  const score = unsafeIndices.reduce((sum, index) => sum + (probabilities[index] ?? NaN), 0)
  if (Number.isNaN(score)) {
    throw new PackMismatchError(`unsafeIndices do not fit an output of ${row.length} classes`)
  }
  return Math.min(1, Math.max(0, score))
}

function softmax(logits: Float32Array): Float32Array {
  const largest = Math.max(...logits)
  const powers = logits.map((logit) => Math.exp(logit - largest))
  const total = powers.reduce((sum, power) => sum + power, 0)
  return powers.map((power) => power / total)
}
