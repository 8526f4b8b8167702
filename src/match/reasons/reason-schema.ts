import { z } from 'zod'

const MAX_NAMES = 40
const MAX_REASONS = 100
const MAX_CHARACTERS = 160

const nameSchema = z.string().trim().min(1).max(100)
const reasonsSchema = z
  .array(z.string().trim().min(1).max(MAX_CHARACTERS))
  .min(1)
  .max(MAX_REASONS)
  .describe('Sentences that are true for any two people who have it. Each is used alone.')

/** One line of a file: reasons for something that both people have. */
export const entryReasonsSchema = z.strictObject({
  entry: nameSchema.describe('An interest, a way of living, a photo tag, or the label of a topic.'),
  also: z.array(nameSchema).min(1).max(MAX_NAMES).optional().describe('Other names of the same.'),
  reasons: reasonsSchema,
})

/** One line of a file: reasons for two ways of living, one of each person. */
export const pairReasonsSchema = z.strictObject({
  pair: z.tuple([nameSchema, nameSchema]).describe('In either order.'),
  reasons: reasonsSchema,
})

/**
 * What cannot be named for two people with nothing in common: only one thing of each, or nothing at all, in a match of a
 * category.
 */
export const PATTERNS = [
  'different-interests',
  'different-lifestyle',
  'nothing-hobbies',
  'nothing-lifestyle',
  'nothing-goals',
  'nothing-traits',
  'nothing-photos',
] as const
export type Pattern = (typeof PATTERNS)[number]

/** Stand for one thing of each person, in the sentences of `different-…`. */
export const PLACEHOLDERS = ['{a}', '{b}'] as const

/** One line of a file: sentences for any two people with nothing in common. */
export const patternReasonsSchema = z.strictObject({
  pattern: z.enum(PATTERNS),
  reasons: reasonsSchema,
})

export type PatternReasons = z.infer<typeof patternReasonsSchema>
export type EntryReasons = z.infer<typeof entryReasonsSchema>
export type PairReasons = z.infer<typeof pairReasonsSchema>
