import { ServiceError } from '../core/service-error.js'

/** Whether a call failed for want of a model, which is too busy, being restarted or not loaded, and not for what it asked. */
export function isModelUnavailable(error: unknown): boolean {
  return (
    error instanceof ServiceError &&
    (error.code === 'overloaded' || error.code === 'model_unavailable')
  )
}
