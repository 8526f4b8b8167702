import { z } from 'zod'
import { clipSection } from './role-sections.js'

/** Aspects by which a match is explained; the categories of the API. */
export const MATCH_CATEGORIES = [
  'shared_hobbies',
  'lifestyle_fit',
  'similar_goals',
  'complementary_traits',
  'aesthetic_alignment',
] as const
export type MatchCategory = (typeof MATCH_CATEGORIES)[number]

const outputs = z.enum(['compatibility', ...MATCH_CATEGORIES])

/** How to use an ONNX cross-encoder that scores how well two profiles match and which categories explain it. */
export const matchSection = z.strictObject({
  text: clipSection.shape.text.describe(
    'Reads both profiles, one after the other. Outputs one logit for each of `outputs`.',
  ),
  tokenizer: clipSection.shape.tokenizer,
  outputs: z
    .array(outputs)
    .refine(
      (names) => names.length === outputs.options.length && new Set(names).size === names.length,
      `must name each of ${outputs.options.join(', ')} once`,
    )
    .describe(
      'Meaning of the logits, in their order: `compatibility` for a good match, and one for each category, before a softmax over the categories.',
    ),
})

export type MatchSection = z.infer<typeof matchSection>
