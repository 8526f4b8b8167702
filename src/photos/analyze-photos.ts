import type { InferenceCall } from '../inference/inference-call.js'
import type { PhotoAnalysis, VisionModel } from '../inference/encoder/vision.js'
import type { AnalysisCache } from './analysis-cache.js'
import type { PhotoFetcher } from './fetch-photo.js'
import { loadPhotos } from './load-photos.js'
import { PhotoError, photoServiceError } from './photo-problem.js'
import type { PhotoReference } from './photo-reference.js'

export interface PhotoAnalyzer {
  /**
   * Loads and analyses photos in order. A photo is fetched for every call; its analysis is cached by content.
   * @param label - field of the request, such as `recipient.photos`
   * @throws ServiceError `photo_unavailable` or `invalid_request` naming the photo by index, `overloaded`, `model_unavailable`; the reason of `call.signal` once it aborts
   */
  analyze(
    references: readonly PhotoReference[],
    label: string,
    call: InferenceCall,
  ): Promise<PhotoAnalysis[]>
}

export interface PhotoAnalyzerParts {
  vision: VisionModel
  cache: AnalysisCache
  fetcher: PhotoFetcher
}

export function createPhotoAnalyzer({ vision, cache, fetcher }: PhotoAnalyzerParts): PhotoAnalyzer {
  return {
    async analyze(references, label, call) {
      const photos = await loadPhotos(fetcher, references, { label, signal: call.signal })
      const outcomes = await cache.analyze(vision, photos, call)
      return outcomes.map((outcome, index) => {
        if (outcome.ok) return outcome.analysis
        throw photoServiceError(new PhotoError('undecodable', outcome.reason), label, index)
      })
    },
  }
}
