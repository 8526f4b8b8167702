import { z } from 'zod'
import { bioSchema, idSchema, photosSchema, requestIdSchema } from '../profile/profile-fields.js'
import {
  EXPLAIN,
  explainedPhotoSchema,
  generationCostSchema,
  modelsInUseSchema,
} from '../profile/explanation-fields.js'

export const inferPreferencesRequestSchema = z.strictObject({
  user: z.strictObject({ id: idSchema, photos: photosSchema, bio: bioSchema }),
})

export const evidenceSchema = z.object({
  kind: z.enum(['interest', 'lifestyle']),
  value: z.string().describe('The entry of `preferences` that this supports.'),
  source: z.enum(['photo', 'bio']),
  photo: z.int().optional().describe('Index of the photo, for the source `photo`.'),
  confidence: z.number().min(0).max(1).describe('How sure the service is.'),
})

const bioEntrySchema = z.object({
  kind: z.enum(['interest', 'lifestyle']),
  value: z.string(),
  named: z.boolean().describe('Whether the bio contains all words of the entry.'),
  support: z
    .number()
    .describe(
      'Similarity to the nearest sentence of the bio, in standard deviations above unrelated texts.',
    ),
  kept: z.boolean(),
})

/** How preferences were found. */
export const preferencesExplanationSchema = z.object({
  models: modelsInUseSchema,
  thresholds: z.object({
    tag_probability: z.number().describe('Minimum probability of a tag.'),
    tags_per_photo: z.int().describe('At most.'),
    bio_support: z.number().describe('Minimum support of an entry, in standard deviations.'),
  }),
  photos: z.array(explainedPhotoSchema),
  bio: z
    .object({ answer: z.string(), ...generationCostSchema.shape, entries: z.array(bioEntrySchema) })
    .describe('What the language model read in the bio, and which entries of it were kept.'),
})

export const inferPreferencesResponseSchema = z.object({
  request_id: requestIdSchema,
  preferences: z
    .object({ interests: z.array(z.string()), lifestyle: z.array(z.string()) })
    .describe('Can be passed unchanged to match evaluation and as `sender.preferences`.'),
  evidence: z.array(evidenceSchema),
  explain: preferencesExplanationSchema.optional().describe(EXPLAIN),
})

export type Evidence = z.infer<typeof evidenceSchema>
export type InferPreferencesRequest = z.infer<typeof inferPreferencesRequestSchema>
export type InferPreferencesResponse = z.infer<typeof inferPreferencesResponseSchema>
export type PreferencesExplanation = z.infer<typeof preferencesExplanationSchema>
