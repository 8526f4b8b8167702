import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { ServiceError } from '../core/service-error.js'
import type { Environment } from '../organizations/capability.js'

/** Optional headers of any call. */
export interface PartnerHeaders {
  /** UUID in lower case. */
  idempotencyKey: string | undefined
  /** SHA-256 of the partner's end-user identifier, 64 hex digits in lower case. */
  endUserId: string | undefined
  /** Whether a test key wants errors instead of synthetic data. */
  refusesSynthetic: boolean
  /** Whether a test key wants the answer explained. */
  wantsExplanation: boolean
}

/** Validates the optional headers, and documents them. */
export const partnerHeadersSchema = z.object({
  'x-idempotency-key': z.guid('must be a UUID').toLowerCase().optional(),
  'x-partner-end-user-id': z
    .string()
    .regex(
      /^[0-9a-f]{64}$/i,
      'must be a SHA-256 hash as 64 hex digits, never the identifier itself',
    )
    .toLowerCase()
    .optional(),
  'x-service-synthetic': z.literal('never', 'must be `never` or left out').optional(),
  'x-service-explain': z.literal('true', 'must be `true` or left out').optional(),
})

/** @throws ServiceError `invalid_request` naming the headers that are malformed or not for this key */
export function parsePartnerHeaders(
  headers: IncomingHttpHeaders,
  environment: Environment,
): PartnerHeaders {
  const parsed = partnerHeadersSchema.safeParse(headers)
  if (parsed.success) {
    const wantsExplanation = parsed.data['x-service-explain'] === 'true'
    if (wantsExplanation && environment !== 'test') {
      throw new ServiceError(
        'invalid_request',
        'x-service-explain: only test keys get explanations. Leave it out, or use a key that begins with sk_test_.',
      )
    }
    return {
      idempotencyKey: parsed.data['x-idempotency-key'],
      endUserId: parsed.data['x-partner-end-user-id'],
      refusesSynthetic: parsed.data['x-service-synthetic'] === 'never',
      wantsExplanation,
    }
  }
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  throw new ServiceError('invalid_request', problems.join('; '))
}
