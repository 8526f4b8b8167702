import { z } from 'zod'
import { CAPABILITIES, ENVIRONMENTS } from '../organizations/capability.js'

const limitsSchema = z
  .strictObject({
    included: z.int().min(0).describe('Calls included per calendar month (UTC).'),
    soft_cap: z.int().min(0).describe('Answers carry a warning from this number of calls on.'),
    hard_cap: z
      .int()
      .min(0)
      .optional()
      .describe('Further calls are refused with `quota_exceeded`. Absent: no limit.'),
    requests_per_minute: z
      .int()
      .min(1)
      .max(100_000)
      .describe('Requests within any 60 s; further ones are refused with `rate_limited`.'),
    weight: z
      .int()
      .min(1)
      .max(100)
      .optional()
      .describe(
        'Share of a busy server relative to the weights of the others who ask. Default: 1.',
      ),
  })
  .refine(({ soft_cap, hard_cap }) => hard_cap === undefined || soft_cap <= hard_cap, {
    path: ['soft_cap'],
    message: 'must not be above hard_cap',
  })
  .refine(({ included, hard_cap }) => hard_cap === undefined || included <= hard_cap, {
    path: ['included'],
    message: 'must not be above hard_cap',
  })

const planSchema = z.record(z.enum(ENVIRONMENTS), z.record(z.enum(CAPABILITIES), limitsSchema))
const planName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, 'must be lower-case letters, digits, - and _')
/** Schema of the plans file, which the operator edits. */
export const plansFileSchema = z.strictObject({ plans: z.record(planName, planSchema) })

export type PlansFile = z.infer<typeof plansFileSchema>
