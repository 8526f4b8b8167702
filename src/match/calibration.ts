import calibration from './calibration.json' with { type: 'json' }
import type { Category } from './match-contract.js'
import type { Signal } from './signals/signal.js'

/** Strength of every signal, and how alike the bios are as a whole, each in [0, 1]. */
export interface MatchFeatures {
  signals: Record<Category, number>
  bios: number
}

/**
 * Compatibility in [0, 1]: logistic regression on the signals, fitted by `scripts/fit-match.ts` to labelled pairs;
 * calibration.json says when and on which data.
 */
export function confidenceOf(features: MatchFeatures): number {
  const { bias, weights } = calibration.confidence
  const logit =
    bias +
    weights.bios * features.bios +
    Object.entries(features.signals).reduce(
      (sum, [category, strength]) => sum + weights[category as Category] * strength,
      0,
    )
  return 1 / (1 + Math.exp(-logit))
}

/**
 * Signals from the strongest to the weakest. Strengths of different signals are not comparable as they are, so each
 * is put on a common scale first, fitted to labelled categories.
 */
export function rankSignals(signals: readonly Signal[]): Signal[] {
  const score = ({ category, strength }: Signal) => {
    const { bias, weight } = calibration.categories[category]
    return bias + weight * strength
  }
  return [...signals].sort((left, right) => score(right) - score(left))
}
