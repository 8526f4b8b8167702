import type { Request, Response } from 'express'

/** `portal` holds the session token, `portal-sso` the state of a single sign-on in progress. */
type CookieName = 'portal' | 'portal-sso'

/**
 * Over HTTPS a cookie is `Secure`, and its `__Host-` prefix keeps other hosts of the domain from setting it. Over plain
 * HTTP browsers would drop such a cookie, so it has neither.
 * Source: RFC 6265bis, section 4.1.3
 */
export function readCookie(request: Request, name: CookieName): string | undefined {
  const expected = cookieName(request, name)
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = pair.split('=', 2)
    if (key?.trim() === expected) return value?.trim()
  }
  return undefined
}

/** Sets a session cookie, which lasts until the browser is closed; `null` clears it. */
export function setCookie(
  response: Response,
  { name, value }: { name: CookieName; value: string | null },
): void {
  const { req: request } = response
  const options = {
    httpOnly: true,
    sameSite: 'lax',
    secure: request.secure,
    path: '/',
  } as const
  if (value === null) response.clearCookie(cookieName(request, name), options)
  else response.cookie(cookieName(request, name), value, options)
}

function cookieName(request: Request, name: CookieName): string {
  return request.secure ? `__Host-${name}` : name
}
