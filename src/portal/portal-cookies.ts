import type { Request, Response } from 'express'

/** `portal` holds the session's token, `portal-sso` a single sign-on under way. */
type CookieName = 'portal' | 'portal-sso'

/**
 * Over HTTPS a cookie is `Secure`, and its prefix keeps other hosts of the domain from setting it; over plain HTTP
 * browsers would drop such a cookie.
 * Source: RFC 6265bis, section 4.1.3
 */
export function readCookie(request: Request, name: CookieName): string | undefined {
  const sent = sentName(request, name)
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = pair.split('=', 2)
    if (key?.trim() === sent) return value?.trim()
  }
  return undefined
}

/** Sets the cookie until the browser is closed; `null` clears it. */
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
  if (value === null) response.clearCookie(sentName(request, name), options)
  else response.cookie(sentName(request, name), value, options)
}

function sentName(request: Request, name: CookieName): string {
  return request.secure ? `__Host-${name}` : name
}
