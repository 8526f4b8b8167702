import type { TextSimilarity } from '../text/text-similarity.js'
import {
  rankSignals,
  weighFeatures,
  type MatchFeatures,
  type RankedSignal,
  type WeighedConfidence,
} from './calibration.js'
import type { Category } from './categories.js'
import type { Person } from './person.js'
import { alikeness } from './soft-overlap.js'
import { aestheticAlignment } from './signals/aesthetic-alignment.js'
import { complementaryTraits } from './signals/complementary-traits.js'
import { lifestyleFit } from './signals/lifestyle-fit.js'
import { sharedHobbies } from './signals/shared-hobbies.js'
import type { Signal } from './signals/signal.js'
import { similarGoals } from './signals/similar-goals.js'
import type { TopicStrengths } from './topics.js'

export interface MatchScore extends WeighedConfidence {
  /** Strongest first. */
  signals: readonly RankedSignal[]
}

export interface ScoringTools {
  standardize: TextSimilarity['standardize']
  topics: TopicStrengths
}

/** Scores two people; the same both ways round. */
export function scoreMatch(a: Person, b: Person, tools: ScoringTools): MatchScore {
  const { signals, features } = measureMatch(a, b, tools)
  return { ...weighFeatures(features), signals: rankSignals(signals) }
}

/** The signals of two people before they are weighed; what the calibration is fitted on. */
export function measureMatch(
  a: Person,
  b: Person,
  { standardize, topics }: ScoringTools,
): { signals: Signal[]; features: MatchFeatures } {
  const signals = [
    sharedHobbies(a, b, standardize),
    lifestyleFit(a, b, standardize),
    similarGoals(a, b, topics),
    complementaryTraits(a, b, topics),
    aestheticAlignment(a, b, standardize),
  ]
  const strengths = Object.fromEntries(
    signals.map(({ category, strength }) => [category, strength]),
  ) as Record<Category, number>
  return { signals, features: { signals: strengths, bios: alikenessOfBios(a, b, standardize) } }
}

/** Mean over both bios of how alike each sentence is to the nearest of the other, in [0, 1]. */
function alikenessOfBios(a: Person, b: Person, standardize: TextSimilarity['standardize']): number {
  const oneWay = (from: Person, to: Person) => {
    if (from.sentences.length === 0 || to.sentences.length === 0) return 0
    const nearest = from.sentences.map((left) =>
      Math.max(...to.sentences.map((right) => alikeness(left, right, standardize))),
    )
    return nearest.reduce((sum, value) => sum + value, 0) / nearest.length
  }
  return (oneWay(a, b) + oneWay(b, a)) / 2
}
