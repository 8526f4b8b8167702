import { z } from 'zod'
import { roundTo } from '../text/round-to.js'
import type { SeenPhoto } from './see-photos.js'

/** What the models saw in one photo, the part of an explanation. */
export const explainedPhotoSchema = z.object({
  photo: z.int().describe('Index of the photo.'),
  nsfw: z.number().describe('Probability that it is not safe for work.'),
  tags: z
    .array(
      z.object({
        tag: z.string(),
        group: z.string(),
        probability: z.number().describe('Share of the softmax over the whole vocabulary.'),
        asserted: z.boolean().describe('Whether the answer builds on it.'),
      }),
    )
    .describe('The tags that fit best, asserted or not.'),
})

export type ExplainedPhoto = z.infer<typeof explainedPhotoSchema>

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
