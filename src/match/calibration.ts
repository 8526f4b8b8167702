import calibration from './calibration.json' with { type: 'json' }
import type { MatchFeatures } from './features.js'
import type { Signal } from './signals/signal.js'

/** When the weights were fitted, and on what. */
export const FITTED = calibration.fitted

/** One summand of a confidence's logit. */
export interface ConfidenceTerm {
  name: string
  /** What was measured, or what is typical where nothing could be. */
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

/** A linear model: by its weights, a feature's name says what it looks at. */
interface LinearModel {
  bias: number
  weights: Readonly<Record<string, number>>
}

const typical: Readonly<Record<string, number>> = calibration.typical

/**
 * Compatibility in [0, 1]: logistic regression fitted by `scripts/fit-match.js` to labelled pairs; calibration.json says
 * when and on which data.
 */
export function weighFeatures(features: MatchFeatures): WeighedConfidence {
  const { bias, terms, logit } = weigh(calibration.confidence, features)
  return { confidence: 1 / (1 + Math.exp(-logit)), logit, bias, terms }
}

/** A signal with how well its category describes the two people, on a scale that all categories share. */
export interface RankedSignal extends Signal {
  rankScore: number
}

/** Signals from the one that describes two people best, by a softmax regression on labelled categories. */
export function rankSignals(signals: readonly Signal[], features: MatchFeatures): RankedSignal[] {
  return signals
    .map((signal) => ({
      ...signal,
      rankScore: weigh(calibration.categories[signal.category], features).logit,
    }))
    .sort((left, right) => right.rankScore - left.rankScore)
}

function weigh({ bias, weights }: LinearModel, features: MatchFeatures) {
  const terms = Object.entries(weights).map(([name, weight]) => {
    const value = features[name] ?? typical[name]!
    return { name, value, weight, contribution: weight * value }
  })
  return { bias, terms, logit: terms.reduce((sum, term) => sum + term.contribution, bias) }
}
