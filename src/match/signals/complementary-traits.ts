import type { Person } from '../person.js'
import { findClearest, type TopicFit } from '../topic-fits.js'
import { topicStrength } from '../topics.js'
import type { EntryPair, Signal } from './signal.js'

/** Strength from which a trait becomes evidence; chosen by hand, 3.8 deviations. */
const MIN_STRENGTH = 0.6

/** Opposite sides of one trait, one on each side; the first interest of each, if they differ. */
export function complementaryTraits(a: Person, b: Person, fits: readonly TopicFit[]): Signal {
  const trait = findClearest('trait', fits)
  const strength = trait ? topicStrength(trait.closeness) : 0
  return {
    category: 'complementary_traits',
    strength,
    evidence: trait && strength >= MIN_STRENGTH ? [trait.label] : [],
    related: contrastInterests(a, b),
  }
}

function contrastInterests(a: Person, b: Person): EntryPair | undefined {
  const [first, second] = [a, b]
    .map((person) => person.interests[0]?.text)
    .filter((text) => text !== undefined)
    .sort()
  if (first === undefined || second === undefined || first === second) return undefined
  return [first, second]
}
