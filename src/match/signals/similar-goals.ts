import { findClearest, type TopicFit } from '../topic-fits.js'
import { topicStrength } from '../topics.js'
import type { Signal } from './signal.js'

/** Strength from which a goal becomes evidence; chosen by hand, 3 deviations. */
const MIN_STRENGTH = 1 / 3

/** A goal that both profiles express. */
export function similarGoals(fits: readonly TopicFit[]): Signal {
  const goal = findClearest('goal', fits)
  const strength = goal ? topicStrength(goal.closeness) : 0
  return {
    category: 'similar_goals',
    strength,
    evidence: goal && strength >= MIN_STRENGTH ? [goal.label] : [],
  }
}
