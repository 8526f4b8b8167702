import type { ExplainedPhoto } from './explanation-fields.js'
import { roundTo } from '../text/round-to.js'
import type { SeenPhoto } from './see-photos.js'

export function explainPhotos(photos: readonly SeenPhoto[]): ExplainedPhoto[] {
  return photos.map(({ nsfw, ranked }, photo) => ({
    photo,
    nsfw: roundTo(nsfw, 4),
    tags: ranked.map(({ definition, probability, isAsserted }) => ({
      tag: definition.tag,
      group: definition.group,
      probability: roundTo(probability, 4),
      asserted: isAsserted,
    })),
  }))
}
