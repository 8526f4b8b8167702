import { SERVICE_TENANT, type Tenant } from '../organizations/tenant.js'
import type { TimedStage } from '../telemetry/request-trace.js'

/**
 * Highest priority first: a feed waits for matches, a person for openers, nobody for batches. Priorities order the calls of one
 * tenant; between tenants, fair shares decide.
 */
export const PRIORITIES = ['match', 'openers', 'batch'] as const
export type Priority = (typeof PRIORITIES)[number]

/** Terms of a model call on behalf of a request. */
export interface InferenceCall {
  /** Aborts the call; a generation stops after the current token. */
  signal: AbortSignal
  /** Milliseconds since the epoch after which the answer is useless; `Infinity` when only `signal` ends the call. */
  deadline: number
  priority: Priority
  /** On whose account the models work. */
  tenant: Tenant
  /** Receives the duration of each stage, for `Server-Timing`. */
  onTiming?: ((stage: TimedStage, ms: number) => void) | undefined
}

/** A call that the service makes while it warms up, with the lowest priority. */
export function startUpCall(): InferenceCall {
  const limitMs = 10 * 60_000
  return {
    signal: AbortSignal.timeout(limitMs),
    deadline: Date.now() + limitMs,
    priority: 'batch',
    tenant: SERVICE_TENANT,
  }
}
