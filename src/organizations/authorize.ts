import { ServiceError } from '../core/service-error.js'
import type { Caller, Capability } from './capability.js'

/** @throws ServiceError `capability_not_allowed` when the caller's key lacks the capability */
export function authorize(caller: Caller, capability: Capability): void {
  if (caller.capabilities.includes(capability)) return
  throw new ServiceError(
    'capability_not_allowed',
    `This API key may not use ${capability}. Use a key that has this capability.`,
  )
}
