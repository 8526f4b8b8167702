import type { InferenceCall } from '../inference/inference-call.js'
import type { PhotoAnalyzer } from '../photos/analyze-photos.js'
import type { PhotoReference } from '../photos/photo-reference.js'
import { assertSafePhotos } from '../safety/assert-safe.js'
import type { PhotoTag, PhotoTagger, RankedTag } from './photo-tagger.js'

/** A photo as the models see it. */
export interface SeenPhoto {
  /** [d] float32, unit norm. */
  embedding: Float32Array
  tags: readonly PhotoTag[]
  /** The best tags, most probable first, for explanations. */
  ranked: readonly RankedTag[]
  /** Probability in [0, 1] that the photo is not safe for work. */
  nsfw: number
}

export interface PhotoParts {
  photos: PhotoAnalyzer
  photoTagger: () => Promise<PhotoTagger>
  config: { photos: { nsfwThreshold: number } }
}

/**
 * Loads, checks and tags photos, in order. The tags hold for one revision of the vision model.
 * @param label - field of the request, such as `recipient.photos`; errors name it
 * @throws ServiceError `photo_unavailable`, `unsafe_content`
 */
export async function seePhotos(
  { photos, photoTagger, config }: PhotoParts,
  { references, label }: { references: readonly PhotoReference[]; label: string },
  call: InferenceCall,
): Promise<SeenPhoto[]> {
  const analyses = await photos.analyze(references, label, call)
  assertSafePhotos(analyses, label, config.photos.nsfwThreshold)
  const tagger = await photoTagger()
  return analyses.map(({ embedding, nsfw }) => {
    const ranked = tagger.rank(embedding)
    return { embedding, nsfw, ranked, tags: ranked.filter((tag) => tag.isAsserted) }
  })
}
