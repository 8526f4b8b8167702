import type { Person } from '../person.js'
import {
  overlapOf,
  pairTerms,
  relatedEntries,
  sharedNames,
  type Standardize,
} from '../soft-overlap.js'
import type { Signal } from './signal.js'

/** Interests that mean the same. */
export function sharedHobbies(a: Person, b: Person, standardize: Standardize): Signal {
  const pairs = pairTerms(a.interests, b.interests, { standardize })
  return {
    category: 'shared_hobbies',
    strength: () => overlapOf(pairs),
    evidence: sharedNames(pairs),
    related: relatedEntries(pairs, a.interests, b.interests),
  }
}
