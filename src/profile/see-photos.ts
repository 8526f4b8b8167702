import type { AppContext } from '../context.js'
import type { InferenceCall } from '../inference/call.js'
import { withOneRevision } from '../inference/per-revision.js'
import { assertSafePhotos } from '../safety/assert-safe.js'
import type { PhotoTag, RankedTag } from './photo-tagger.js'

/** A photo as the models see it. */
export interface SeenPhoto {
  /** [d] float32, unit norm. */
  embedding: Float32Array
  tags: readonly PhotoTag[]
  /** What fits best, surest first, as explanations tell it. */
  ranked: readonly RankedTag[]
  /** Probability in [0, 1] that it is not safe for work. */
  nsfw: number
}

/**
 * Loads, checks and tags photos, in order.
 * @param label - where the photos stand in the request, such as `recipient.photos`; errors name it
 * @throws ServiceError `photo_unavailable`, `unsafe_content`
 */
export async function seePhotos(
  context: Pick<AppContext, 'config' | 'photos' | 'photoTagger' | 'vision'>,
  { references, label }: { references: readonly string[]; label: string },
  call: InferenceCall,
): Promise<SeenPhoto[]> {
  return withOneRevision(context.vision, async () => {
    const analyses = await context.photos.analyze(references, label, call)
    assertSafePhotos(analyses, label, context.config.photos.nsfwThreshold)
    const tagger = await context.photoTagger()
    return analyses.map(({ embedding, nsfw }) => {
      const ranked = tagger.rank(embedding)
      return { embedding, nsfw, ranked, tags: ranked.filter((tag) => tag.isAsserted) }
    })
  })
}
