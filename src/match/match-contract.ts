import { z } from 'zod'
import { requestIdSchema, userSchema } from '../profile/profile-fields.js'
import { categorySchema } from './categories.js'
import {
  EXPLAIN,
  explainedPhotoSchema,
  generationCostSchema,
  modelsInUseSchema,
} from '../profile/explanation-fields.js'
import { PROFILE_PARTS } from './profile-parts.js'

export const matchRequestSchema = z.strictObject({ user_a: userSchema, user_b: userSchema })

const personSchema = z.object({
  photos: z.array(explainedPhotoSchema),
  interests: z.array(z.string()).describe('As they were compared.'),
  lifestyle: z.array(z.string()).describe('As it was compared.'),
  inferred: z.boolean().describe('Whether the service inferred the preferences itself.'),
})

const reasonCandidateSchema = z.object({
  text: z.string(),
  passed: z.boolean().describe('Whether it kept to the rules for reasons.'),
  ...generationCostSchema.shape,
})

/** How a match was scored and its reason found. */
export const matchExplanationSchema = z.object({
  models: modelsInUseSchema,
  user_a: personSchema,
  user_b: personSchema,
  confidence: z
    .object({
      logit: z.number().describe('Its logistic function is the confidence.'),
      parts: z.array(
        z.object({
          part: z.enum(PROFILE_PARTS),
          contribution: z
            .number()
            .describe('By how much the logit falls when neither profile has the part.'),
        }),
      ),
    })
    .describe('What the confidence rests on. Parts say the same in part, so they do not add up.'),
  signals: z
    .array(
      z.object({
        category: categorySchema,
        strength: z
          .number()
          .min(0)
          .max(1)
          .describe('How strong it is by a measure of its own; plays no part in the order.'),
        rank_score: z
          .number()
          .describe('How well the category describes the two: a logit of the match model.'),
        evidence: z.array(z.string()).describe('What the reason may name.'),
        related: z
          .array(z.string())
          .optional()
          .describe(
            'An entry of each that can be told together, the most alike without being the same.',
          ),
        opposed: z
          .array(z.string())
          .optional()
          .describe('An entry of each that exclude each other.'),
        chosen: z.boolean().describe('Whether it gives category and reason.'),
      }),
    )
    .describe(
      'By rank score, highest first. The first that has something to name is chosen: evidence, related entries or, where the confidence is low, opposed ones.',
    ),
  reason: z.object({
    source: z
      .enum(['model', 'cache', 'composed'])
      .describe('Written now, remembered from the same evidence, or put together without a model.'),
    candidates: z.array(reasonCandidateSchema),
  }),
})

export const matchResponseSchema = z.object({
  request_id: requestIdSchema,
  confidence: z
    .number()
    .min(0)
    .max(1)
    .describe('Compatibility; 0.7 or more is a high-quality match.'),
  reason_category: categorySchema,
  reason: z.string().describe('One sentence, safe to show to end users.'),
  explain: matchExplanationSchema.optional().describe(EXPLAIN),
})

export type MatchRequest = z.infer<typeof matchRequestSchema>
export type MatchResponse = z.infer<typeof matchResponseSchema>
export type MatchExplanation = z.infer<typeof matchExplanationSchema>
