import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Request } from 'express'
import type { Config } from '../config/config.js'
import type { ServerSecret } from '../organizations/server-secret.js'

/** Name of the hidden form field that carries the CSRF token. */
export const FORM_TOKEN_FIELD = 'form_token'

/** The CSRF token of a session. Other sites cannot know it. */
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
 * Whether the browser reports that a page of this portal sent the request. Browsers send `Sec-Fetch-Site` only to secure
 * addresses; to others they send `Origin` with every form.
 */
export function isSameOrigin(request: Request, { publicUrl }: Pick<Config, 'publicUrl'>): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const { origin } = request.headers
  if (origin === undefined || !URL.canParse(origin)) return false
  return origin === publicUrl || new URL(origin).host === request.host
}
