import type { Response } from 'express'
import { ServiceError } from '../core/service-error.js'
import type { Database } from '../database/open-database.js'
import { limitsOf, type CapabilityLimits, type Plans } from '../metering/plans.js'
import { countUsage, type QuotaScope } from '../metering/quota.js'
import type { RateLimiter } from '../metering/rate-limit.js'
import { authorize } from '../organizations/authorize.js'
import type { Caller } from '../organizations/capability.js'
import type { Tenant } from '../organizations/tenant.js'
import { noteQuota } from './quota-headers.js'
import { setRateLimitHeaders } from './rate-limit-headers.js'

export interface AdmissionDeps {
  db: Database
  plans: Plans
  rateLimiter: RateLimiter
  clock: () => number
}

/** What the plan allows the caller of an admitted request. */
export interface Admission {
  limits: CapabilityLimits
  /** Whose share of the server the call uses. */
  tenant: Tenant
  /** Takes the request out of the rate limit and its headers, because the service could not serve it. Changes the headers at once. */
  giveBack(): Promise<void>
}

/**
 * Checks that the caller's key and plan allow one more request; the response reports quota and rate limit either way.
 * @throws ServiceError `capability_not_allowed`, `rate_limited`; StorageError
 */
export async function admitCall(
  { db, plans, rateLimiter, clock }: AdmissionDeps,
  { caller, scope }: { caller: Caller; scope: QuotaScope },
  response: Response,
): Promise<Admission> {
  const limits = limitsOf(plans, caller, scope.capability)
  const { included, softCap, requestsPerMinute, weight } = limits
  const now = clock()
  const used = await countUsage(db, scope, now)
  noteQuota(response, { plan: caller.plan, used, included, softCap })
  authorize(caller, scope.capability)
  const id = `${scope.organizationId} ${scope.environment}`
  const key = `${id} ${scope.capability}`
  const decision = await rateLimiter.take(key, requestsPerMinute, now)
  setRateLimitHeaders(response, decision)
  if (!decision.allowed) {
    throw new ServiceError(
      'rate_limited',
      `The plan allows ${requestsPerMinute} requests a minute. Wait as Retry-After says.`,
      { retryAfterSeconds: decision.retryAfterSeconds },
    )
  }
  const giveBack = () => {
    if (!response.headersSent) {
      setRateLimitHeaders(response, { ...decision, remaining: decision.remaining + 1 })
    }
    return rateLimiter.giveBack(key, decision.takenAt)
  }
  return { limits, tenant: { id, weight }, giveBack }
}
