import { z } from 'zod'
import { bioSchema, EXPLAIN, idSchema, photosSchema, requestIdSchema } from '../profile-fields.js'
import { preferencesExplanationSchema } from './explain-preferences.js'

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
