import type { Config } from '../config/config.js'
import type { VisionModel } from '../inference/encoder/vision.js'
import type { Metrics } from '../telemetry/metrics.js'
import { createAnalysisCache } from './analysis-cache.js'
import { createPhotoAnalyzer, type PhotoAnalyzer } from './analyze-photos.js'
import { createPhotoFetcher } from './fetch-photo.js'

export interface OpenPhotos {
  photos: PhotoAnalyzer
  /** Aborts the downloads. */
  close: () => void
}

/** Opens the way of a photo from its reference to its analysis: fetcher, cache and vision model. */
export function openPhotos(
  settings: Config['photos'],
  { vision, metrics }: { vision: VisionModel; metrics: Metrics },
): OpenPhotos {
  const fetcher = createPhotoFetcher(settings)
  const cache = createAnalysisCache(settings)
  metrics.beforeRead(() => {
    const { entries, hits, misses } = cache.stats()
    metrics.photoCache.set({ what: 'kept' }, entries)
    metrics.photoCache.set({ what: 'hit' }, hits)
    metrics.photoCache.set({ what: 'miss' }, misses)
  })
  return {
    photos: createPhotoAnalyzer({ vision, cache, fetcher }),
    close: () => fetcher.close(),
  }
}
