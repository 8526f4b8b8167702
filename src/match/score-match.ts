import type { TextSimilarity } from '../text/text-similarity.js'
import {
  PLAIN,
  rankSignals,
  weighFeatures,
  type Calibration,
  type RankedSignal,
  type WeighedConfidence,
} from './calibration.js'
import { chooseSignal } from './choose-signal.js'
import { measureFeatures, measureLists } from './features.js'
import type { MatchSpace } from './match-space.js'
import type { Person } from './person.js'
import { aestheticAlignment } from './signals/aesthetic-alignment.js'
import { complementaryTraits } from './signals/complementary-traits.js'
import { lifestyleFit } from './signals/lifestyle-fit.js'
import { sharedHobbies } from './signals/shared-hobbies.js'
import { similarGoals } from './signals/similar-goals.js'
import { measureTopics } from './topic-fits.js'
import type { TopicCloseness } from './topics.js'

export interface MatchScore extends WeighedConfidence {
  /** What the confidence was weighed by. */
  fitted: Calibration['fitted']
  /** The one that describes the two best comes first. */
  signals: readonly RankedSignal[]
  /** The one of them that the answer is told by. */
  chosen: RankedSignal
}

export type ScoringTools = Pick<TextSimilarity, 'standardize' | 'standardizeCentered'> & {
  topics: TopicCloseness
  /** Of the pack in use, where one was learnt. */
  space: MatchSpace | undefined
}

/** Scores two people; the same both ways round. */
export function scoreMatch(a: Person, b: Person, tools: ScoringTools): MatchScore {
  const { standardize, standardizeCentered, topics, space } = tools
  const fits = measureTopics(a, b, topics)
  const features = measureFeatures(a, b, { fits, standardizeCentered })
  const signals = [
    sharedHobbies(a, b, standardize),
    lifestyleFit(a, b, standardize),
    similarGoals(fits),
    complementaryTraits(a, b, fits),
    aestheticAlignment(a, b, standardize),
  ]
  const calibration = space?.calibration ?? PLAIN
  const weighed = space ? measureLists(a, b, { standardizeCentered, space }) : features
  const ranked = rankSignals(signals, features)
  return {
    ...weighFeatures(weighed, calibration),
    fitted: calibration.fitted,
    signals: ranked,
    chosen: chooseSignal(ranked),
  }
}
