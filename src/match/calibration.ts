import calibration from './calibration.json' with { type: 'json' }
import type { MatchFeatures } from './features.js'
import type { Signal } from './signals/signal.js'

/** What a confidence is made of, fitted to labelled pairs. */
export interface Calibration {
  /** When, and on what. */
  fitted: Readonly<{ date: string; data: string; pairs: number }>
  /** What is taken for a feature that the profiles do not tell. */
  typical: Readonly<Record<string, number>>
  confidence: LinearModel
}

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

/** Of text spaces that nothing was learnt in, by `scripts/fit-match.js`. */
export const PLAIN: Calibration = calibration

/** Compatibility in [0, 1], by logistic regression. */
export function weighFeatures(
  features: MatchFeatures,
  { typical, confidence }: Pick<Calibration, 'typical' | 'confidence'>,
): WeighedConfidence {
  const { bias, terms, logit } = weigh(confidence, { typical, features })
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
      rankScore: weigh(calibration.categories[signal.category], { ...PLAIN, features }).logit,
    }))
    .sort((left, right) => right.rankScore - left.rankScore)
}

function weigh(
  { bias, weights }: LinearModel,
  { typical, features }: Pick<Calibration, 'typical'> & { features: MatchFeatures },
) {
  const terms = Object.entries(weights).map(([name, weight]) => {
    const value = features[name] ?? typical[name]!
    return { name, value, weight, contribution: weight * value }
  })
  return { bias, terms, logit: terms.reduce((sum, term) => sum + term.contribution, bias) }
}
