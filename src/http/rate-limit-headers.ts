import type { Response } from 'express'
import type { RateLimitDecision } from '../metering/rate-limit.js'

/**
 * Reports the limit and what is left of it; `t` is the seconds until one more request is admitted.
 * Source: https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-11
 */
export function setRateLimitHeaders(response: Response, decision: RateLimitDecision): void {
  const { limit, remaining, resetSeconds } = decision
  response.setHeader('RateLimit-Policy', `"minute";q=${limit};w=60`)
  response.setHeader('RateLimit', `"minute";r=${remaining};t=${resetSeconds}`)
}
