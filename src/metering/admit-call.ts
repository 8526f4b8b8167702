import type { Response } from 'express'
import type { Database } from '../database/open-database.js'
import { ServiceError } from '../core/service-error.js'
import { authorize } from '../organizations/authorize.js'
import type { Caller } from '../organizations/capability.js'
import { limitsOf, type CapabilityLimits, type Plans } from './plans.js'
import { setQuotaHeaders } from '../http/quota-headers.js'
import { countUsage, type QuotaScope } from './quota.js'
import { setRateLimitHeaders } from '../http/rate-limit-headers.js'
import type { RateLimiter } from './rate-limit.js'

export interface AdmissionDeps {
  db: Database
  plans: Plans
  rateLimiter: RateLimiter
  clock: () => number
}

/**
 * Lets a caller's request in, and tells quota and rate limit in the answer's headers, whatever comes of it.
 * @returns what the caller's plan allows
 * @throws ServiceError `capability_not_allowed`, `rate_limited`
 */
export async function admitCall(
  { db, plans, rateLimiter, clock }: AdmissionDeps,
  { caller, scope }: { caller: Caller; scope: QuotaScope },
  response: Response,
): Promise<CapabilityLimits> {
  const limits = limitsOf(plans, caller, scope.capability)
  const used = await countUsage(db, scope, clock())
  setQuotaHeaders(response, scope.capability, { plan: caller.plan, used, ...limits })
  authorize(caller, scope.capability)
  const key = `${scope.organizationId} ${scope.environment} ${scope.capability}`
  const decision = rateLimiter.take(key, limits.requestsPerMinute, clock())
  setRateLimitHeaders(response, decision)
  if (decision.allowed) return limits
  throw new ServiceError(
    'rate_limited',
    `The plan allows ${limits.requestsPerMinute} requests a minute. Wait as Retry-After says.`,
    { retryAfterSeconds: decision.resetSeconds },
  )
}
