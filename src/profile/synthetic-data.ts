import { createHash } from 'node:crypto'
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

/** A number in [0, 1) that depends on nothing but the request's body and the purpose. */
export function syntheticShare(body: unknown, purpose: string): number {
  const hash = createHash('sha256')
    .update(JSON.stringify([purpose, body]))
    .digest()
  return hash.readUInt32BE() / 2 ** 32
}

/** An entry of a list, chosen by the request's body and the purpose alone. */
export function syntheticChoice<T>(list: readonly T[], body: unknown, purpose: string): T {
  return list[Math.floor(syntheticShare(body, purpose) * list.length)]!
}
