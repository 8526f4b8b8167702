import { z } from 'zod'
import {
  bioSchema,
  EXPLAIN,
  idSchema,
  nameSchema,
  photosSchema,
  preferencesSchema,
  requestIdSchema,
} from '../profile-fields.js'
import { openersExplanationSchema } from './explain-openers.js'
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

export const openersResponseSchema = z.object({
  request_id: requestIdSchema,
  openers: z.array(openerSchema),
  explain: openersExplanationSchema.optional().describe(EXPLAIN),
})

export type OpenersRequest = z.infer<typeof openersRequestSchema>
export type OpenersResponse = z.infer<typeof openersResponseSchema>
export type Opener = z.infer<typeof openerSchema>
