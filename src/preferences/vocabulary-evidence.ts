import { findInterestsInBio } from '../profile/bio-interests.js'
import type { PhotoTag } from '../profile/photo-tagger.js'
import type { Evidence } from './preferences-contract.js'

/** Confidence in an interest that a bio names in its own words; chosen by hand. */
export const STATED_CONFIDENCE = 0.95

/** Preferences that the tag vocabulary links to the photos' tags, and its interests that the bio names. */
export function findInVocabulary(bio: string, tags: readonly (readonly PhotoTag[])[]): Evidence[] {
  return [...tags.flatMap(evidenceOfPhoto), ...findInterestsInBio(bio).map(evidenceOfBio)]
}

function evidenceOfBio(value: string): Evidence {
  return { kind: 'interest', value, source: 'bio', confidence: STATED_CONFIDENCE }
}

function evidenceOfPhoto(tags: readonly PhotoTag[], photo: number): Evidence[] {
  return tags.flatMap(({ definition, probability }) => {
    const common = { source: 'photo' as const, photo, confidence: probability }
    return [
      ...definition.interests.map((value) => ({ kind: 'interest' as const, value, ...common })),
      ...definition.lifestyle.map((value) => ({ kind: 'lifestyle' as const, value, ...common })),
    ]
  })
}
