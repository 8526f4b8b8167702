import type { Request } from 'express'
import { ServiceError } from '../core/service-error.js'
import type { FairBudget } from '../metering/fair-budget.js'
import type { Tenant } from '../organizations/tenant.js'
import type { JsonParser } from './json-parser.js'
import type { JsonBody } from './parse-json-bytes.js'
import { readBodyBytes, tooLarge } from './read-body-bytes.js'

export interface BodyTerms {
  /** Largest size after decompression. */
  limitBytes: number
  budget: FairBudget
  parser: JsonParser
  /** Whose part of the budget the body takes. */
  tenant: Tenant
  /** Aborts at the end of the call, which returns the body's share of the budget. */
  signal: AbortSignal
}

/**
 * Reads a JSON body. It runs only for known callers, so that a stranger cannot make the server hold large bodies.
 * @throws ServiceError `unsupported_media_type`, `payload_too_large`, `overloaded` beyond the budget, `invalid_request`
 */
export async function readJsonBody(
  request: Request,
  { limitBytes, budget, parser, tenant, signal }: BodyTerms,
): Promise<JsonBody> {
  if (!request.is('application/json') || !isUtf8(request.headers['content-type'])) {
    throw new ServiceError(
      'unsupported_media_type',
      'Send a JSON body in UTF-8 with the header `Content-Type: application/json`.',
    )
  }
  const announcedBytes = Number(request.headers['content-length'] ?? 0)
  if (announcedBytes > limitBytes) throw tooLarge()
  // An upload that does not fit is refused before it is sent; its bytes are charged as they arrive.
  budget.check(tenant, announcedBytes)
  const bytes = await readBodyBytes(request, { limitBytes, share: budget.open(tenant, signal) })
  return parser.parse(bytes, { tenant, signal })
}

/** RFC 8259, section 8.1: JSON between systems is UTF-8. */
function isUtf8(contentType = ''): boolean {
  const charset = /;\s*charset\s*=\s*"?(?<name>[^\s;"]+)/i.exec(contentType)?.groups?.name
  return charset === undefined || /^utf-?8$/i.test(charset)
}
