import { clearestOf, type TopicFit } from '../topic-fits.js'
import { outspokenness } from '../topics.js'
import type { Signal } from './signal.js'

/** Both bios have to be outspoken about their side before it is told to them. */
const CLEAR = 0.6

/** Opposite sides of one trait, one on each person's side. */
export function complementaryTraits(fits: readonly TopicFit[]): Signal {
  const [best] = clearestOf('trait', fits)
  const strength = best ? outspokenness(best.closeness) : 0
  return {
    category: 'complementary_traits',
    strength,
    evidence: best && strength >= CLEAR ? [best.label] : [],
  }
}
