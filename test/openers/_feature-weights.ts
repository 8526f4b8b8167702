import {
  RERANKER_FEATURES,
  type RerankerFeature,
} from '../../src/inference/language/opener-guidance.js'

type Weights = Record<RerankerFeature, number>

/** Weights of a reranker: 0 for every feature that is not given. */
export function featureWeights(weights: Partial<Weights> = {}): Weights {
  const zeros = Object.fromEntries(RERANKER_FEATURES.map((name) => [name, 0])) as Weights
  return { ...zeros, ...weights }
}
