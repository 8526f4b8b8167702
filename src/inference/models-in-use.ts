import { z } from 'zod'
import type { Models } from './open-models.js'

const modelSchema = z.object({
  packs: z.array(z.string()).describe('Names of the packs.'),
  revision: z
    .string()
    .describe('Changes with any file of the packs, and for the language model with its prompts.'),
})

/** The part of an explanation that says which models answered. */
export const modelsInUseSchema = z.object({ vision: modelSchema, language: modelSchema })

export type ModelsInUse = z.infer<typeof modelsInUseSchema>

export function describeModelsInUse(models: Models): ModelsInUse {
  const status = models.status()
  const packsOf = (role: 'vision' | 'language') => [
    ...(status.find((model) => model.role === role)?.packs ?? []),
  ]
  return {
    vision: { packs: packsOf('vision'), revision: models.vision.revision() },
    language: { packs: packsOf('language'), revision: models.prompts().revision },
  }
}
