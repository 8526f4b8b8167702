import type { Generation } from './language.js'

/** Natural logarithm of a millionth: lower values count as this one, so that one token cannot outweigh all others. */
const LOWEST_LOGPROB = Math.log(1e-6)

/** @param logprobs - natural logarithms of the probabilities of the sampled tokens, at most 0 */
export function summarizeLogprobs(logprobs: readonly number[]): Generation['logprob'] {
  const bounded = logprobs.map((value) => Math.min(0, Math.max(value, LOWEST_LOGPROB)))
  const sum = bounded.reduce((total, value) => total + value, 0)
  return { mean: sum / Math.max(1, bounded.length), min: Math.min(0, ...bounded) }
}
