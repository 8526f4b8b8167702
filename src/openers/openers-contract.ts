import { z } from 'zod'
import {
  bioSchema,
  idSchema,
  nameSchema,
  photosSchema,
  preferencesSchema,
  requestIdSchema,
} from '../profile/profile-fields.js'
import {
  EXPLAIN,
  explainedPhotoSchema,
  generationCostSchema,
  modelsInUseSchema,
} from '../profile/explanation-fields.js'
import { ARMS } from './opener-policy.js'
import { styleSchema, TONES } from './styles.js'

export const openersRequestSchema = z.strictObject({
  sender: z.strictObject({
    id: idSchema,
    name: nameSchema,
    preferences: preferencesSchema.optional(),
  }),
  recipient: z.strictObject({ id: idSchema, photos: photosSchema, bio: bioSchema }),
  tone: z.enum(TONES).default('playful'),
  count: z.int().min(1).max(5).default(3).describe('How many openers to write.'),
})

export const openerSchema = z.object({
  text: z.string(),
  style: styleSchema,
  length: z.int().describe('Number of Unicode code points of `text`.'),
})

const candidateSchema = z.object({
  style: styleSchema,
  text: z.string().describe('As the model wrote it, on one line.'),
  beginning: z
    .string()
    .describe('The part that a person wrote, filled with a detail; empty where the model began.'),
  outcome: z.string().describe('`passed`, or the first check that it failed.'),
  released: z.boolean().describe('Whether it is an opener of the answer.'),
  scores: z
    .record(z.string(), z.number())
    .describe('What the choice among those that passed rests on; higher is better.'),
  ...generationCostSchema.shape,
})

const policySchema = z.object({
  arm: z
    .enum(ARMS)
    .optional()
    .describe('`control`: chosen as if nothing had been learnt. Absent while learning is off.'),
  styles: z.array(styleSchema).describe('Those to write first at the front.'),
  probabilities: z
    .array(z.number())
    .optional()
    .describe(
      'Probability with which each of `styles` was drawn from those that were left; absent for a fixed order.',
    ),
  uses_evidence: z.boolean().describe('Whether reported replies play a part.'),
})

/** How openers came about. */
export const openersExplanationSchema = z.object({
  models: modelsInUseSchema,
  photos: z.array(explainedPhotoSchema),
  facts: z
    .object({
      photo_elements: z.array(z.string()),
      likes: z.array(z.string()).describe("The recipient's interests."),
      sender_likes: z.array(z.string()),
      common_ground: z.array(z.string()),
    })
    .describe('What the openers may speak of, besides the bio.'),
  policy: policySchema.describe('How styles, and good candidates of a style, were chosen.'),
  candidates: z.array(candidateSchema).describe('In the order in which they were judged.'),
})

export const openersResponseSchema = z.object({
  request_id: requestIdSchema,
  openers: z.array(openerSchema),
  explain: openersExplanationSchema.optional().describe(EXPLAIN),
})

export type OpenersRequest = z.infer<typeof openersRequestSchema>
export type OpenersResponse = z.infer<typeof openersResponseSchema>
export type Opener = z.infer<typeof openerSchema>
export type OpenersExplanation = z.infer<typeof openersExplanationSchema>
