import { ServiceError } from '../core/service-error.js'
import type { ModelStatus } from '../inference/open-models.js'
import type { Environment } from '../organizations/capability.js'

/**
 * Whether a failed call is answered with synthetic data: for test keys, when the photos or the content are at fault or
 * a model cannot be loaded, so that development needs no real people's photos. A crash that passes is not hidden.
 */
export function isAnsweredSynthetically(
  error: unknown,
  { environment, models }: { environment: Environment; models: readonly ModelStatus[] },
): boolean {
  if (environment !== 'test' || !(error instanceof ServiceError)) return false
  switch (error.code) {
    case 'photo_unavailable':
    case 'unsafe_content':
      return true
    case 'model_unavailable':
      return models.some(({ state }) => state === 'failed')
    default:
      return false
  }
}
