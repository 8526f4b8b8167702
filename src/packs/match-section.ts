import { z } from 'zod'
import { clipSection } from './role-sections.js'

/** What a match is told by; the categories of the interface. */
export const MATCH_CATEGORIES = [
  'shared_hobbies',
  'lifestyle_fit',
  'similar_goals',
  'complementary_traits',
  'aesthetic_alignment',
] as const
export type MatchCategory = (typeof MATCH_CATEGORIES)[number]

const outputs = z.enum(['compatibility', ...MATCH_CATEGORIES])

/** How to use an ONNX cross-encoder that reads two profiles and says how well they match, and by what. */
export const matchSection = z.strictObject({
  text: clipSection.shape.text.describe(
    'Reads both profiles, one after the other. Its output has one logit for each of `outputs`.',
  ),
  tokenizer: clipSection.shape.tokenizer,
  outputs: z
    .array(outputs)
    .refine(
      (names) => names.length === outputs.options.length && new Set(names).size === names.length,
      `must name each of ${outputs.options.join(', ')} once`,
    )
    .describe(
      'What the logits are, in their order: of a match being good, and of each category to describe it, before a softmax.',
    ),
})

export type MatchSection = z.infer<typeof matchSection>
