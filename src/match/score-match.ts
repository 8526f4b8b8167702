import type { PairScores } from '../inference/encoder/vision.js'
import type { TextSimilarity } from '../profile/text-similarity.js'
import { chooseSignal } from './choose-signal.js'
import { confidenceBand } from './confidence-band.js'
import type { Person } from './person.js'
import { aestheticAlignment } from './signals/aesthetic-alignment.js'
import { complementaryTraits } from './signals/complementary-traits.js'
import { lifestyleFit } from './signals/lifestyle-fit.js'
import { sharedHobbies } from './signals/shared-hobbies.js'
import type { RankedSignal } from './signals/signal.js'
import { similarGoals } from './signals/similar-goals.js'
import { measureTopics } from './topic-fits.js'
import type { TopicCloseness } from './topics.js'

export interface MatchScore {
  /** Compatibility in [0, 1], the logistic function of the model's logit. */
  confidence: number
  pairScores: PairScores
  /** Highest rank score first. */
  signals: readonly RankedSignal[]
  /** The signal that gives the answer its category and reason. */
  chosen: RankedSignal
}

export type ScoringTools = Pick<TextSimilarity, 'standardize'> & { topics: TopicCloseness }

/** Ranks the signals by the match model's scores and chooses one. The order of the two people does not matter. */
export function scoreMatch(
  a: Person,
  b: Person,
  pairScores: PairScores,
  { standardize, topics }: ScoringTools,
): MatchScore {
  const fits = measureTopics(a, b, topics)
  const signals = [
    sharedHobbies(a, b, standardize),
    lifestyleFit(a, b, standardize),
    similarGoals(fits),
    complementaryTraits(a, b, fits),
    aestheticAlignment(a, b, standardize),
  ]
    .map((signal) => ({ ...signal, rankScore: pairScores.categories[signal.category] }))
    .sort((left, right) => right.rankScore - left.rankScore)
  const confidence = 1 / (1 + Math.exp(-pairScores.compatibility))
  return {
    confidence,
    pairScores,
    signals,
    chosen: chooseSignal(signals, confidenceBand(confidence)),
  }
}
