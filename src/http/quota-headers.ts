import type { Response } from 'express'
import type { Capability } from '../organizations/capability.js'

/** What the quota headers say of one organisation, environment and capability. */
export interface QuotaSnapshot {
  plan: string
  used: number
  included: number
  /** From this many calls on the headers warn. */
  softCap: number
}

/** Before the key is known nothing is known about a plan. */
export const UNKNOWN_QUOTA: QuotaSnapshot = {
  plan: 'none',
  used: 0,
  included: 0,
  softCap: Infinity,
}

/** Sets the four quota headers that every answer under /v1 carries, and the warning from the soft cap on. */
export function setQuotaHeaders(
  response: Response,
  capability: Capability | 'none',
  quota: QuotaSnapshot,
): void {
  response.setHeader('X-Service-Plan', quota.plan)
  response.setHeader('X-Service-Capability', capability)
  response.setHeader('X-Service-Quota-Used', String(quota.used))
  response.setHeader('X-Service-Quota-Included', String(quota.included))
  if (quota.used >= quota.softCap) {
    response.setHeader('X-Service-Quota-Warning', 'soft_cap_reached')
  }
}
