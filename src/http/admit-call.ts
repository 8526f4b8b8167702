import type { Response } from 'express'
import { ServiceError } from '../core/service-error.js'
import type { Database } from '../database/open-database.js'
import { limitsOf, type CapabilityLimits, type Plans } from '../metering/plans.js'
import { countUsage, type QuotaScope } from '../metering/quota.js'
import type { RateLimiter } from '../metering/rate-limit.js'
import { authorize } from '../organizations/authorize.js'
import type { Caller } from '../organizations/capability.js'
import { noteQuota } from './quota-headers.js'
import { setRateLimitHeaders } from './rate-limit-headers.js'

export interface AdmissionDeps {
  db: Database
  plans: Plans
  rateLimiter: RateLimiter
  clock: () => number
}

/**
 * Checks that the caller's key and plan allow one more request; the response reports quota and rate limit either way.
 * @returns what the plan allows
 * @throws ServiceError `capability_not_allowed`, `rate_limited`
 */
export async function admitCall(
  { db, plans, rateLimiter, clock }: AdmissionDeps,
  { caller, scope }: { caller: Caller; scope: QuotaScope },
  response: Response,
): Promise<CapabilityLimits> {
  const limits = limitsOf(plans, caller, scope.capability)
  const { included, softCap } = limits
  const used = await countUsage(db, scope, clock())
  noteQuota(response, { plan: caller.plan, used, included, softCap })
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
