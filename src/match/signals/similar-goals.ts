import { clearestOf, type TopicFit } from '../topic-fits.js'
import { outspokenness } from '../topics.js'
import type { Signal } from './signal.js'

/** Both bios have to be outspoken about an aim before it is told to them; by hand, 3 deviations. */
const CLEAR = 1 / 3

/** Aims that both bios speak of. */
export function similarGoals(fits: readonly TopicFit[]): Signal {
  const [best] = clearestOf('goal', fits)
  const strength = best ? outspokenness(best.closeness) : 0
  return {
    category: 'similar_goals',
    strength: () => strength,
    evidence: best && strength >= CLEAR ? [best.label] : [],
  }
}
