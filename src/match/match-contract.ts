import { z } from 'zod'
import { EXPLAIN, requestIdSchema, userSchema } from '../profile-fields.js'
import { categorySchema } from './categories.js'
import { matchExplanationSchema } from './explain-match.js'

export const matchRequestSchema = z.strictObject({ user_a: userSchema, user_b: userSchema })

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
