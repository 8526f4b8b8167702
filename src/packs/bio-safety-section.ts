import { z } from 'zod'
import { TEXT_RISKS } from './text-risks.js'
import { clipSection } from './role-sections.js'

/** How to use an ONNX classifier that tells unsafe bios from harmless ones. */
export const bioSafetySection = z.strictObject({
  text: clipSection.shape.text.describe('Its output has one logit for each class.'),
  tokenizer: clipSection.shape.tokenizer,
  classes: z
    .array(z.enum(['harmless', ...TEXT_RISKS]))
    .min(2)
    .refine((classes) => classes.includes('harmless'), 'must have the class "harmless"')
    .describe('Names of the classes, in the order of the logits.'),
  thresholds: z
    .strictObject({
      unsafe: z.number().describe('From here a bio is refused.'),
      harmless: z.number().describe('Below, what the rules of words find is taken for harmless.'),
    })
    .refine(({ unsafe, harmless }) => harmless < unsafe, 'harmless must be below unsafe')
    .describe(
      'Log-odds of being unsafe, log(1 − p) − log(p) of the class "harmless": the mean of those of the whole bio and of its worst part.',
    ),
})

export type BioSafetySection = z.infer<typeof bioSafetySection>
