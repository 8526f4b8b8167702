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
  interests: z.array(z.string()).describe('The entries that were compared.'),
  lifestyle: z.array(z.string()).describe('The entries that were compared.'),
  inferred: z.boolean().describe('Whether the service inferred the preferences itself.'),
})

const reasonCandidateSchema = z.object({
  text: z.string(),
  passed: z.boolean().describe('Whether it passed the checks for reasons.'),
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
            .describe('How much the logit falls when the part is left out of both profiles.'),
        }),
      ),
    })
    .describe(
      'How the confidence came about. The parts overlap in meaning, so their contributions do not add up.',
    ),
  signals: z
    .array(
      z.object({
        category: categorySchema,
        strength: z
          .number()
          .min(0)
          .max(1)
          .describe(
            'Strength of the signal by the similarity of the profiles. Does not affect the order.',
          ),
        rank_score: z.number().describe('Logit of the match model for the category.'),
        evidence: z.array(z.string()).describe('What the reason may name.'),
        related: z
          .array(z.string())
          .optional()
          .describe(
            'One entry of each person: the most similar two that differ, or else the first of each.',
          ),
        opposed: z
          .array(z.string())
          .optional()
          .describe('One entry of each person that contradict each other.'),
        chosen: z.boolean().describe('Whether the answer takes its category and reason from it.'),
      }),
    )
    .describe(
      'By rank score, highest first. The first that has something to name is chosen: evidence, related entries or, if the confidence is low, opposed entries.',
    ),
  reason: z.object({
    source: z
      .enum(['written', 'model', 'cache', 'composed'])
      .describe(
        '`written`: written by hand; `model`: generated now; `cache`: generated earlier for the same evidence; `composed`: from a template.',
      ),
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
