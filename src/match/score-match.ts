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
  /** Compatibility in [0, 1]. */
  confidence: number
  judgement: PairScores
  /** The one that describes the two best comes first. */
  signals: readonly RankedSignal[]
  /** The one of them that the answer is told by. */
  chosen: RankedSignal
}

export type ScoringTools = Pick<TextSimilarity, 'standardize'> & { topics: TopicCloseness }

/** Puts together what the match model says of two people and what can be named for it; the same both ways round. */
export function scoreMatch(
  a: Person,
  b: Person,
  judgement: PairScores,
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
    .map((signal) => ({ ...signal, rankScore: judgement.categories[signal.category] }))
    .sort((left, right) => right.rankScore - left.rankScore)
  const confidence = 1 / (1 + Math.exp(-judgement.compatibility))
  return {
    confidence,
    judgement,
    signals,
    chosen: chooseSignal(signals, confidenceBand(confidence)),
  }
}
