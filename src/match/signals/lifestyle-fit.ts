import type { Person } from '../person.js'
import {
  findOpposedPair,
  findRelatedPair,
  listSharedNames,
  measureOverlap,
  pairTerms,
  type Standardize,
} from '../term-pairs.js'
import { OPPOSITE_LIFESTYLES } from '../traits.js'
import type { Signal } from './signal.js'

/** Similar ways of living. Opposites such as early riser and night owl never pair, however close their embeddings. */
export function lifestyleFit(a: Person, b: Person, standardize: Standardize): Signal {
  const pairs = pairTerms(a.lifestyle, b.lifestyle, { standardize, areOpposite })
  const related = findRelatedPair(pairs, a.lifestyle, b.lifestyle)
  return {
    category: 'lifestyle_fit',
    strength: measureOverlap(pairs),
    evidence: listSharedNames(pairs),
    related: related && !areOpposite(...related) ? related : undefined,
    opposed: findOpposedPair(a.lifestyle, b.lifestyle, areOpposite),
  }
}

function areOpposite(left: string, right: string): boolean {
  return OPPOSITE_LIFESTYLES.some(
    ([one, other]) =>
      (one.includes(left) && other.includes(right)) ||
      (one.includes(right) && other.includes(left)),
  )
}
