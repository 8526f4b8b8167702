import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { ServiceError } from './errors.js'

/** What a partner may send along with any call. */
export interface PartnerHeaders {
  /** UUID in lower case. */
  idempotencyKey: string | undefined
  /** SHA-256 of the partner's end-user identifier, 64 hex digits in lower case. */
  endUserId: string | undefined
  /** Whether a test key wants errors instead of synthetic data. */
  refusesSynthetic: boolean
}

/** The headers as they may be sent; also what the API documentation tells of them. */
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
})

/** @throws ServiceError `invalid_request` naming the malformed headers */
export function parsePartnerHeaders(headers: IncomingHttpHeaders): PartnerHeaders {
  const parsed = partnerHeadersSchema.safeParse(headers)
  if (parsed.success) {
    return {
      idempotencyKey: parsed.data['x-idempotency-key'],
      endUserId: parsed.data['x-partner-end-user-id'],
      refusesSynthetic: parsed.data['x-service-synthetic'] === 'never',
    }
  }
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  throw new ServiceError('invalid_request', problems.join('; '))
}
