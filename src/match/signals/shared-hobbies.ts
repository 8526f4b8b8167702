import type { Person } from '../person.js'
import {
  findRelatedPair,
  listSharedNames,
  measureOverlap,
  pairTerms,
  type Standardize,
} from '../term-pairs.js'
import type { Signal } from './signal.js'

/** Interests with the same meaning. */
export function sharedHobbies(a: Person, b: Person, standardize: Standardize): Signal {
  const pairs = pairTerms(a.interests, b.interests, { standardize })
  return {
    category: 'shared_hobbies',
    strength: measureOverlap(pairs),
    evidence: listSharedNames(pairs),
    related: findRelatedPair(pairs, a.interests, b.interests),
  }
}
