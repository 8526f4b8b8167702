import type { Request, Response } from 'express'
import type { Config } from '../config/config.js'

const DAY_MS = 24 * 60 * 60_000

/** Cookies and how long browsers keep them; without a duration until the browser is closed. */
const COOKIES = {
  /** The session token. */
  portal: {},
  /** The state of a single sign-on in progress. */
  'portal-sso': {},
  /** The token of the invitation that a single sign-on is about to accept. */
  'portal-invitation': {},
  /** The challenge that a passkey is about to sign. */
  'portal-passkey': {},
  /** Marks a browser in which the password of an account was entered before. */
  'portal-browser': { maxAge: 180 * DAY_MS },
} as const

export type CookieName = keyof typeof COOKIES

/** Whether browsers reach the portal over HTTPS, by the configured address or by what a trusted proxy says. */
export function usesHttps({ publicUrl }: Pick<Config, 'publicUrl'>, request: Request): boolean {
  return request.secure || publicUrl?.startsWith('https:') === true
}

/**
 * Over HTTPS a cookie is `Secure`, and its `__Host-` prefix keeps other hosts of the domain from setting it. Over plain
 * HTTP browsers would drop such a cookie, so it has neither.
 * Source: RFC 6265bis, section 4.1.3
 */
export function readCookie(
  request: Request,
  name: CookieName,
  isHttps: boolean,
): string | undefined {
  const expected = cookieName(name, isHttps)
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = pair.split('=', 2)
    if (key?.trim() === expected) return value?.trim()
  }
  return undefined
}

/** Sets a cookie; `null` clears it. */
export function setCookie(
  response: Response,
  { name, value }: { name: CookieName; value: string | null },
  isHttps: boolean,
): void {
  const options = { httpOnly: true, sameSite: 'lax', secure: isHttps, path: '/' } as const
  const fullName = cookieName(name, isHttps)
  if (value === null) response.clearCookie(fullName, options)
  else response.cookie(fullName, value, { ...options, ...COOKIES[name] })
}

function cookieName(name: CookieName, isHttps: boolean): string {
  return isHttps ? `__Host-${name}` : name
}
