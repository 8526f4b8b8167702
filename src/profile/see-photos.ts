import type { InferenceCall } from '../inference/inference-call.js'
import type { PhotoAnalyzer } from '../photos/analyze-photos.js'
import type { LoadedPhotos } from '../photos/load-photos.js'
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
 * Checks and tags the photos of one field, in order. The tags hold for one revision of the vision model.
 * @param field - such as `recipient.photos`; errors name it
 * @throws ServiceError `photo_unavailable`, `unsafe_content`
 */
export async function seePhotos(
  { photos: analyzer, photoTagger, config }: PhotoParts,
  { photos, field }: { photos: LoadedPhotos; field: string },
  call: InferenceCall,
): Promise<SeenPhoto[]> {
  const analyses = await analyzer.analyze(photos, field, call)
  assertSafePhotos(analyses, field, config.photos.nsfwThreshold)
  const tagger = await photoTagger()
  return analyses.map(({ embedding, nsfw }) => {
    const ranked = tagger.rank(embedding)
    return { embedding, nsfw, ranked, tags: ranked.filter((tag) => tag.isAsserted) }
  })
}
