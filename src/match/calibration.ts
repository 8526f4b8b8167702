import calibration from './calibration.json' with { type: 'json' }
import type { Category } from './categories.js'
import type { Signal } from './signals/signal.js'

/** Strength of every signal, and how alike the bios are as a whole, each in [0, 1]. */
export interface MatchFeatures {
  signals: Record<Category, number>
  bios: number
}

/** When the weights were fitted, and on what. */
export const FITTED = calibration.fitted

/** One summand of a confidence's logit. */
export interface ConfidenceTerm {
  name: string
  /** What was measured, in [0, 1]. */
  value: number
  weight: number
  contribution: number
}

export interface WeighedConfidence {
  /** In [0, 1]. */
  confidence: number
  logit: number
  bias: number
  terms: ConfidenceTerm[]
}

/**
 * Compatibility in [0, 1]: logistic regression on the signals, fitted by `scripts/fit-match.ts` to labelled pairs;
 * calibration.json says when and on which data.
 */
export function weighFeatures({ signals, bios }: MatchFeatures): WeighedConfidence {
  const { bias, weights } = calibration.confidence
  const terms = Object.entries({ ...signals, bios }).map(([name, value]) => {
    const weight = weights[name as keyof typeof weights]
    return { name, value, weight, contribution: weight * value }
  })
  const logit = terms.reduce((sum, term) => sum + term.contribution, bias)
  return { confidence: 1 / (1 + Math.exp(-logit)), logit, bias, terms }
}

/** A signal with its strength on a scale that all signals share. */
export interface RankedSignal extends Signal {
  rankScore: number
}

/**
 * Signals from the strongest to the weakest. Strengths of different signals are not comparable as they are, so each
 * is put on a common scale first, fitted to labelled categories.
 */
export function rankSignals(signals: readonly Signal[]): RankedSignal[] {
  return signals
    .map((signal) => {
      const { bias, weight } = calibration.categories[signal.category]
      return { ...signal, rankScore: bias + weight * signal.strength }
    })
    .sort((left, right) => right.rankScore - left.rankScore)
}
