import { cosine } from '../../text/text-similarity.js'
import type { Person } from '../person.js'
import {
  overlapOf,
  pairTerms,
  relatedEntries,
  sharedNames,
  type Standardize,
} from '../soft-overlap.js'
import type { Signal } from './signal.js'

// Cosines of clip-lite between photos: unrelated ones lie near 0.2, the same kind of scene above 0.6.
const UNRELATED_PHOTOS = 0.3
const SAME_SCENE = 0.75

/** Photos that show the same kind of thing: by their tags, or by their embeddings where tags are missing. */
export function aestheticAlignment(a: Person, b: Person, standardize: Standardize): Signal {
  const pairs = pairTerms(a.photoTags, b.photoTags, { standardize })
  const nearest = Math.max(
    0,
    ...a.photos.flatMap((left) => b.photos.map((right) => cosine(left, right))),
  )
  const look = Math.min(
    1,
    Math.max(0, (nearest - UNRELATED_PHOTOS) / (SAME_SCENE - UNRELATED_PHOTOS)),
  )
  return {
    category: 'aesthetic_alignment',
    // One alike pair of photos says less than three alike pairs of tags.
    strength: Math.max(overlapOf(pairs), look / 3),
    evidence: sharedNames(pairs),
    related: relatedEntries(pairs),
  }
}
