import type { Person } from '../person.js'
import {
  opposedEntries,
  overlapOf,
  pairTerms,
  relatedEntries,
  sharedNames,
  type Standardize,
} from '../soft-overlap.js'
import { OPPOSITE_LIFESTYLES } from '../traits.js'
import type { Signal } from './signal.js'

/** Ways of living that go together; opposites such as early riser and night owl do not, however near in words. */
export function lifestyleFit(a: Person, b: Person, standardize: Standardize): Signal {
  const pairs = pairTerms(a.lifestyle, b.lifestyle, { standardize, areOpposite })
  const related = relatedEntries(pairs, a.lifestyle, b.lifestyle)
  return {
    category: 'lifestyle_fit',
    strength: () => overlapOf(pairs),
    evidence: sharedNames(pairs),
    related: related && !areOpposite(...related) ? related : undefined,
    opposed: opposedEntries(a.lifestyle, b.lifestyle, areOpposite),
  }
}

function areOpposite(left: string, right: string): boolean {
  return OPPOSITE_LIFESTYLES.some(
    ([one, other]) =>
      (one.includes(left) && other.includes(right)) ||
      (one.includes(right) && other.includes(left)),
  )
}
