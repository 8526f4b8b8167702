import type { ModelsInUse } from './explanation-fields.js'
import type { Models } from '../inference/open-models.js'

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
