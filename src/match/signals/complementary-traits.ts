import type { Person } from '../person.js'
import { clearestOf, type TopicFit } from '../topic-fits.js'
import { outspokenness } from '../topics.js'
import type { Signal } from './signal.js'

/** Both bios have to be outspoken about their side before it is told to them; by hand, 3.8 deviations. */
const CLEAR = 0.6

/**
 * Opposite sides of one trait, one on each person's side. Two people whose traits nobody named are told by what sets
 * their interests apart.
 */
export function complementaryTraits(a: Person, b: Person, fits: readonly TopicFit[]): Signal {
  const [best] = clearestOf('trait', fits)
  const strength = best ? outspokenness(best.closeness) : 0
  return {
    category: 'complementary_traits',
    strength: () => strength,
    evidence: best && strength >= CLEAR ? [best.label] : differentInterests(a, b),
  }
}

function differentInterests(a: Person, b: Person): string[] {
  const [first, second] = [a, b]
    .map((person) => person.interests[0]?.text)
    .filter((text) => text !== undefined)
    .sort()
  if (first === undefined || second === undefined || first === second) return []
  return [`one of you is into ${first} and the other into ${second}`]
}
