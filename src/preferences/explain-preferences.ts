import { z } from 'zod'
import { generationCostSchema } from '../inference/measure-generation.js'
import { modelsInUseSchema, type ModelsInUse } from '../inference/models-in-use.js'
import { MIN_SUPPORT } from './judge-entries.js'
import { roundTo } from '../text/round-to.js'
import type { ReadBio } from './bio-preferences.js'
import type { Candidate } from './collect-entries.js'
import { explainedPhotoSchema, explainPhotos } from './explained-photo.js'
import { MAX_TAGS, MIN_PROBABILITY } from './photo-tagger.js'
import type { Evidence } from './preferences-contract.js'
import type { SeenPhoto } from './see-photos.js'

const bioEntrySchema = z.object({
  kind: z.enum(['interest', 'lifestyle']),
  value: z.string(),
  named: z.boolean().describe('Whether the bio says it in its own words.'),
  support: z
    .number()
    .describe('Standard deviations by which a sentence of the bio is closer than unrelated texts.'),
  kept: z.boolean(),
})

/** How preferences were found. */
export const preferencesExplanationSchema = z.object({
  models: modelsInUseSchema,
  thresholds: z.object({
    tag_probability: z.number().describe('From which a photo is given a tag.'),
    tags_per_photo: z.int().describe('At most.'),
    bio_support: z.number().describe('From which an entry counts as supported by the bio.'),
  }),
  photos: z.array(explainedPhotoSchema),
  bio: z
    .object({ answer: z.string(), ...generationCostSchema.shape, entries: z.array(bioEntrySchema) })
    .describe('What the language model read in the bio, and which entries of it were kept.'),
})

export type PreferencesExplanation = z.infer<typeof preferencesExplanationSchema>

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
