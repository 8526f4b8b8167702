import { ServiceError } from '../core/service-error.js'
import type { LanguageMethods, LanguageModel } from './language/language.js'
import type { ModelHost } from './workers/model-host.js'
import type { VisionMethods, VisionModel, VisionProperties } from './encoder/vision.js'
import { WorkerCallError } from './workers/worker-process.js'

/** The vision model, served by the vision worker. */
export function createHostedVision(
  host: ModelHost<VisionMethods>,
): Omit<VisionModel, 'embedCaptions'> {
  function properties(): VisionProperties {
    const info = host.info()
    if (!info) throw new ServiceError('model_unavailable', 'The vision model is not loaded yet.')
    return info.properties as VisionProperties
  }
  return {
    analyzePhotos: async (photos, call) => {
      if (photos.length === 0) return []
      return asServiceError(host.call('analyzePhotos', { photos: [...photos] }, call))
    },
    embedTexts: async (texts, call) => {
      if (texts.length === 0) return []
      return asServiceError(host.call('embedTexts', { texts: [...texts] }, call))
    },
    classifyBio: async (readings, call) =>
      asServiceError(host.call('classifyBio', { readings: [...readings] }, call)),
    scorePairs: async (pairs, call) => {
      if (pairs.length === 0) return []
      return asServiceError(host.call('scorePairs', { pairs: [...pairs] }, call))
    },
    revision: () => properties().revision,
    logitScale: () => properties().logitScale,
  }
}

/** The language model, served by the language worker. */
export function createHostedLanguage(
  host: Pick<ModelHost<LanguageMethods>, 'call'>,
): LanguageModel {
  return {
    generate: (request, call) =>
      asServiceError(host.call('generate', { ...request, tenant: call.tenant.id }, call)),
  }
}

async function asServiceError<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof WorkerCallError)) throw error
    switch (error.reason) {
      case 'invalid_input':
        throw new ServiceError('invalid_request', error.message, { cause: error })
      case 'aborted':
        throw new DOMException('The call was aborted.', 'AbortError')
      case 'failed':
      case 'exited':
        throw new ServiceError('model_unavailable', 'The model could not answer. Retry later.', {
          cause: error,
        })
    }
  }
}
