import type { TextSimilarity } from '../text/text-similarity.js'
import {
  rankSignals,
  weighFeatures,
  type RankedSignal,
  type WeighedConfidence,
} from './calibration.js'
import { measureFeatures } from './features.js'
import type { Person } from './person.js'
import { aestheticAlignment } from './signals/aesthetic-alignment.js'
import { complementaryTraits } from './signals/complementary-traits.js'
import { lifestyleFit } from './signals/lifestyle-fit.js'
import { sharedHobbies } from './signals/shared-hobbies.js'
import { similarGoals } from './signals/similar-goals.js'
import { measureTopics } from './topic-fits.js'
import type { TopicCloseness } from './topics.js'

export interface MatchScore extends WeighedConfidence {
  /** The one that describes the two best comes first. */
  signals: readonly RankedSignal[]
}

export type ScoringTools = Pick<TextSimilarity, 'standardize' | 'standardizeCentered'> & {
  topics: TopicCloseness
}

/** Scores two people; the same both ways round. */
export function scoreMatch(a: Person, b: Person, tools: ScoringTools): MatchScore {
  const { standardize, standardizeCentered, topics } = tools
  const fits = measureTopics(a, b, topics)
  const features = measureFeatures(a, b, { fits, standardizeCentered })
  const signals = [
    sharedHobbies(a, b, standardize),
    lifestyleFit(a, b, standardize),
    similarGoals(fits),
    complementaryTraits(fits),
    aestheticAlignment(a, b, standardize),
  ]
  return { ...weighFeatures(features), signals: rankSignals(signals, features) }
}
