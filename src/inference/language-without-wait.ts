import { ServiceError } from '../core/service-error.js'
import type { LanguageModel } from './language/language.js'
import type { ModelStatus } from './open-models.js'
import type { ModelState } from './workers/worker-supervisor.js'

/** The worker comes back by itself, but perhaps not before the caller's deadline. */
const AWAY: readonly ModelState[] = ['starting', 'restarting', 'failed']

/**
 * A language model for work that can do without: refuses with `model_unavailable` while its worker is away, where a call would wait
 * for it.
 */
export function withoutWait(
  language: LanguageModel,
  models: { status(): ModelStatus[] },
): LanguageModel {
  return {
    generate: async (request, call) => {
      const isAway = models
        .status()
        .some(({ role, state }) => role === 'language' && AWAY.includes(state))
      if (!isAway) return language.generate(request, call)
      throw new ServiceError('model_unavailable', 'The language model is away. Retry later.')
    },
  }
}
