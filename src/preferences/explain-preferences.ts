import { explainPhotos } from '../profile/explain-photos.js'
import type { ModelsInUse } from '../profile/explanation-fields.js'
import { MAX_TAGS, MIN_PROBABILITY } from '../profile/photo-tagger.js'
import type { SeenPhoto } from '../profile/see-photos.js'
import { roundTo } from '../text/round-to.js'
import type { ReadBio } from './bio-preferences.js'
import type { Candidate } from './collect-entries.js'
import type { Evidence, PreferencesExplanation } from './preferences-contract.js'
import { MIN_SUPPORT } from './select-entries.js'

export type BioExplanation = PreferencesExplanation['bio']

export function explainPreferences(
  models: ModelsInUse,
  photos: readonly SeenPhoto[],
  bio: BioExplanation,
): PreferencesExplanation {
  const thresholds = {
    tag_probability: MIN_PROBABILITY,
    tags_per_photo: MAX_TAGS,
    bio_support: MIN_SUPPORT,
  }
  return { models, thresholds, photos: explainPhotos(photos), bio }
}

/** Entries that the language model read, with their support in the bio and whether they were selected. */
export function explainBio(
  { entries, ...read }: ReadBio,
  candidates: readonly Candidate[],
  evidence: readonly Evidence[],
): BioExplanation {
  const explained = entries.flatMap(({ kind, value }) =>
    candidates
      .filter((candidate) => candidate.kind === kind && candidate.value === value)
      .map(({ isNamed, features }) => ({
        kind,
        value,
        named: isNamed,
        support: roundTo(features.bio, 2),
        kept: evidence.some((piece) => piece.kind === kind && piece.value === value),
      })),
  )
  return { ...read, entries: explained }
}
