import { z } from 'zod'
import { TEXT_RISKS } from './text-risks.js'
import { clipSection } from './role-sections.js'

/** How to use an ONNX classifier that separates unsafe bios from harmless ones. */
export const bioSafetySection = z.strictObject({
  text: clipSection.shape.text.describe('Outputs one logit per class.'),
  tokenizer: clipSection.shape.tokenizer,
  classes: z
    .array(z.enum(['harmless', ...TEXT_RISKS]))
    .min(2)
    .refine((classes) => classes.includes('harmless'), 'must have the class "harmless"')
    .describe('Class names in the order of the logits.'),
  thresholds: z
    .strictObject({
      unsafe: z.number().describe('From this value on a bio is refused.'),
      harmless: z.number().describe('Below this value matches of the text rules are ignored.'),
    })
    .refine(({ unsafe, harmless }) => harmless < unsafe, 'harmless must be below unsafe')
    .describe(
      'Log-odds of being unsafe: log(1 − p) − log(p), where p is the probability of "harmless". Compared with the mean of the log-odds of the whole bio and of its worst part.',
    ),
})

export type BioSafetySection = z.infer<typeof bioSafetySection>
