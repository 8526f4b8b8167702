import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ServerSecret } from '../organizations/server-secret.js'
import type { Account } from './account.js'

/** How long a browser that signed in is recognised. */
export const KNOWN_BROWSER_LIFETIME_MS = 180 * 24 * 60 * 60_000

type Credential = Pick<Account, 'id' | 'passwordHash'>

/**
 * A token for the cookie of a browser in which somebody entered the password of an account. It opens nothing: it only
 * exempts the browser from the limits that strangers can exhaust. A new password makes it worthless.
 */
export function issueBrowserToken(
  secret: ServerSecret,
  credential: Credential,
  now: number,
): string {
  const claims = `${randomBytes(12).toString('base64url')}.${now.toString(36)}`
  return `${claims}.${sign(secret, credential, claims)}`
}

/** The part of a token that identifies the browser; undefined if it was not issued for this account and password. */
export function readBrowserToken(
  secret: ServerSecret,
  { token, account }: { token: string | undefined; account: Credential | undefined },
  now: number,
): string | undefined {
  const [browser = '', issued = '', signature = ''] = token?.split('.') ?? []
  // Compared for an unknown account too, so that the time taken reveals nothing.
  const credential = account ?? { id: '', passwordHash: null }
  const expected = Buffer.from(sign(secret, credential, `${browser}.${issued}`))
  const given = Buffer.from(signature)
  const isGenuine = given.length === expected.length && timingSafeEqual(given, expected)
  const age = now - Number.parseInt(issued, 36)
  if (!account || !isGenuine || !(age < KNOWN_BROWSER_LIFETIME_MS)) return undefined
  return browser
}

function sign(secret: ServerSecret, { id, passwordHash }: Credential, claims: string): string {
  return createHmac('sha256', secret.subkey('portal-browser'))
    .update(JSON.stringify([id, passwordHash, claims]))
    .digest('base64url')
}
