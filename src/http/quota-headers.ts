import type { RequestHandler, Response } from 'express'
import onHeaders from 'on-headers'
import type { Capability } from '../organizations/capability.js'

/** What the quota headers say about one organisation, environment and capability. */
export interface QuotaSnapshot {
  plan: string
  capability: Capability | 'none'
  used: number
  included: number
  /** From this many calls on the headers warn. */
  softCap: number
}

/** Before the key is known nothing is known about a plan. */
const UNKNOWN_QUOTA: QuotaSnapshot = {
  plan: 'none',
  capability: 'none',
  used: 0,
  included: 0,
  softCap: Infinity,
}

/**
 * Gives every response under /v1, errors and streams included, the four quota headers, and the warning from the soft cap
 * on. The headers say what `noteQuota` last recorded when the response begins.
 */
export function sendQuotaHeaders(): RequestHandler {
  return (_request, response, next) => {
    response.locals.quota = UNKNOWN_QUOTA
    onHeaders(response, () => writeHeaders(response))
    next()
  }
}

/** Records what is known about the caller's quota so far. */
export function noteQuota(response: Response, quota: Partial<QuotaSnapshot>): void {
  response.locals.quota = { ...(response.locals.quota as QuotaSnapshot), ...quota }
}

function writeHeaders(response: Response): void {
  const quota = response.locals.quota as QuotaSnapshot
  response.setHeader('X-Service-Plan', quota.plan)
  response.setHeader('X-Service-Capability', quota.capability)
  response.setHeader('X-Service-Quota-Used', String(quota.used))
  response.setHeader('X-Service-Quota-Included', String(quota.included))
  if (quota.used >= quota.softCap) {
    response.setHeader('X-Service-Quota-Warning', 'soft_cap_reached')
  }
}
