import { cosine } from '../../text/vectors.js'
import type { Person } from '../person.js'
import { ramp } from '../ramp.js'
import {
  overlapOf,
  PAIRS_THAT_COUNT,
  pairTerms,
  relatedEntries,
  sharedNames,
  type Standardize,
} from '../soft-overlap.js'
import type { Signal } from './signal.js'

// Cosines of clip-lite between photos: unrelated ones lie near 0.2, the same kind of scene above 0.6.
const UNRELATED_PHOTOS = 0.3
const SAME_SCENE = 0.75

/** Photos that show the same kind of thing, by their tags. */
export function aestheticAlignment(a: Person, b: Person, standardize: Standardize): Signal {
  const pairs = pairTerms(a.photoTags, b.photoTags, { standardize })
  return {
    category: 'aesthetic_alignment',
    // One alike pair of photos says less than as many alike pairs of tags as count.
    strength: () => Math.max(overlapOf(pairs), likenessOf(a.photos, b.photos) / PAIRS_THAT_COUNT),
    evidence: sharedNames(pairs),
    related: relatedEntries(pairs, a.photoTags, b.photoTags),
  }
}

/** Of the two photos most alike, in [0, 1]. */
function likenessOf(left: readonly Float32Array[], right: readonly Float32Array[]): number {
  const cosines = left.flatMap((one) => right.map((other) => cosine(one, other)))
  return ramp(Math.max(...cosines), UNRELATED_PHOTOS, SAME_SCENE)
}
