import type { InferenceCall } from '../inference/inference-call.js'
import type { PhotoAnalysis, VisionModel } from '../inference/encoder/vision.js'
import type { AnalysisCache } from './analysis-cache.js'
import type { PhotoFetcher } from './fetch-photo.js'
import { loadPhotos, type LoadedPhotos, type PhotosByField } from './load-photos.js'
import { PhotoError, photoServiceError } from './photo-problem.js'

export interface PhotoAnalyzer {
  /**
   * Fetches all photos of a call, within one time limit.
   * @throws ServiceError `photo_unavailable` or `invalid_request` naming the photo by field and index, `overloaded`; the reason
   *   of `call.signal` once it aborts
   */
  load(references: PhotosByField, call: InferenceCall): Promise<LoadedPhotos>
  /**
   * Analyses the photos of one field in order. An analysis is cached by the photo's content.
   * @throws ServiceError `photo_unavailable` naming the photo by field and index, `overloaded`, `model_unavailable`; the reason
   *   of `call.signal` once it aborts
   */
  analyze(photos: LoadedPhotos, field: string, call: InferenceCall): Promise<PhotoAnalysis[]>
}

export interface PhotoAnalyzerParts {
  vision: VisionModel
  cache: AnalysisCache
  fetcher: PhotoFetcher
}

export function createPhotoAnalyzer({ vision, cache, fetcher }: PhotoAnalyzerParts): PhotoAnalyzer {
  return {
    load: (references, call) => loadPhotos(fetcher, references, call),
    async analyze(photos, field, call) {
      const loaded = photos.get(field)
      if (!loaded) throw new Error(`The photos of ${field} were not loaded.`)
      const outcomes = await cache.analyze(vision, loaded, call)
      return outcomes.map((outcome, index) => {
        if (outcome.ok) return outcome.analysis
        throw photoServiceError(new PhotoError('undecodable', outcome.reason), field, index)
      })
    },
  }
}
