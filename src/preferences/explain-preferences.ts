import type { ModelsInUse } from '../profile/explanation-fields.js'
import { MIN_SUPPORT } from './judge-entries.js'
import { roundTo } from '../text/round-to.js'
import type { ReadBio } from './bio-preferences.js'
import type { Candidate } from './collect-entries.js'
import { explainPhotos } from '../profile/explained-photo.js'
import { MAX_TAGS, MIN_PROBABILITY } from '../profile/photo-tagger.js'
import type { Evidence, PreferencesExplanation } from './preferences-contract.js'
import type { SeenPhoto } from '../profile/see-photos.js'

/** What the language model read in a bio, for an explanation. */
export type JudgedBio = PreferencesExplanation['bio']

export function explainPreferences(
  models: ModelsInUse,
  photos: readonly SeenPhoto[],
  bio: JudgedBio,
): PreferencesExplanation {
  const thresholds = {
    tag_probability: MIN_PROBABILITY,
    tags_per_photo: MAX_TAGS,
    bio_support: MIN_SUPPORT,
  }
  return { models, thresholds, photos: explainPhotos(photos), bio }
}

/** What the language model read, beside how much of it the bio bears out. */
export function explainReading(
  { entries, ...read }: ReadBio,
  candidates: readonly Candidate[],
  told: readonly Evidence[],
): JudgedBio {
  const judged = entries.flatMap(({ kind, value }) =>
    candidates
      .filter((candidate) => candidate.kind === kind && candidate.value === value)
      .map(({ isNamed, signs }) => ({
        kind,
        value,
        named: isNamed,
        support: roundTo(signs.bio, 2),
        kept: told.some((piece) => piece.kind === kind && piece.value === value),
      })),
  )
  return { ...read, entries: judged }
}
