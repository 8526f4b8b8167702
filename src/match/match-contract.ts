import { z } from 'zod'
import { requestIdSchema, userSchema } from '../profile-fields.js'

/** The categories of the interface; each is one signal. */
export const CATEGORIES = [
  'shared_hobbies',
  'lifestyle_fit',
  'similar_goals',
  'complementary_traits',
  'aesthetic_alignment',
] as const
export type Category = (typeof CATEGORIES)[number]

export const matchRequestSchema = z.strictObject({ user_a: userSchema, user_b: userSchema })

export const matchResponseSchema = z.object({
  request_id: requestIdSchema,
  confidence: z
    .number()
    .min(0)
    .max(1)
    .describe('Compatibility; 0.7 or more is a high-quality match.'),
  reason_category: z.enum(CATEGORIES),
  reason: z.string().describe('One sentence, safe to show to end users.'),
})

export type MatchRequest = z.infer<typeof matchRequestSchema>
export type MatchResponse = z.infer<typeof matchResponseSchema>
