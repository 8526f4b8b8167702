import { z } from 'zod'
import { CAPABILITIES, ENVIRONMENTS } from '../organizations/capability.js'

const limitsSchema = z
  .strictObject({
    included: z.int().min(0).describe('Calls a calendar month (UTC) that the plan includes.'),
    soft_cap: z.int().min(0).describe('From this many calls on, answers carry a warning.'),
    hard_cap: z
      .int()
      .min(0)
      .optional()
      .describe('Calls beyond it are refused with `quota_exceeded`. Absent: none are.'),
    requests_per_minute: z
      .int()
      .min(1)
      .max(100_000)
      .describe('Requests in any 60 s; more are refused with `rate_limited`.'),
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
/** The plans file that the operator edits. */
export const plansFileSchema = z.strictObject({ plans: z.record(planName, planSchema) })

export type PlansFile = z.infer<typeof plansFileSchema>
