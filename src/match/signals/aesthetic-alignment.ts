import { cosine } from '../../text/vectors.js'
import type { Person } from '../person.js'
import { ramp } from '../ramp.js'
import {
  COUNTED_PAIRS,
  findRelatedPair,
  listSharedNames,
  measureOverlap,
  pairTerms,
  type Standardize,
} from '../term-pairs.js'
import type { Signal } from './signal.js'

// Cosines between photos with clip-lite: of unrelated photos, half lie below 0.05 and nine in ten below 0.3; photos of one
// kind of thing lie above 0.6.
const UNRELATED_PHOTOS = 0.3
const SAME_SCENE = 0.75

/** Photos of the same kind of thing, by their tags. */
export function aestheticAlignment(a: Person, b: Person, standardize: Standardize): Signal {
  const pairs = pairTerms(a.photoTags, b.photoTags, { standardize })
  const nearest = Math.max(...a.photos.flatMap((one) => b.photos.map((two) => cosine(one, two))))
  // One pair of similar photos counts as much as one pair of similar tags.
  const photoOverlap = ramp(nearest, UNRELATED_PHOTOS, SAME_SCENE) / COUNTED_PAIRS
  return {
    category: 'aesthetic_alignment',
    strength: Math.max(measureOverlap(pairs), photoOverlap),
    evidence: listSharedNames(pairs),
    related: findRelatedPair(pairs, a.photoTags, b.photoTags),
  }
}
