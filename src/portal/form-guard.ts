import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Request } from 'express'
import type { ServerSecret } from '../organizations/server-secret.js'

/** Name of the hidden field that carries the token of a form. */
export const FORM_TOKEN_FIELD = 'form_token'

/** The token that every form of a session carries: nobody else's page can know it. */
export function formToken(secret: ServerSecret, tokenHash: Buffer): string {
  return createHmac('sha256', secret.subkey('portal-form')).update(tokenHash).digest('base64url')
}

export function isFormToken(
  secret: ServerSecret,
  tokenHash: Buffer,
  given: string | null,
): boolean {
  const expected = Buffer.from(formToken(secret, tokenHash))
  const actual = Buffer.from(given ?? '')
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

/**
 * Whether a request was sent by a page of this portal, as the browser says. Browsers send `Sec-Fetch-Site` to secure
 * addresses only, and `Origin` with every form elsewhere.
 */
export function isFromThisPortal(request: Request): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const { origin } = request.headers
  if (origin === undefined || !URL.canParse(origin)) return false
  return new URL(origin).host === request.host
}
