import type { Request, Response } from 'express'

/**
 * The session's cookie. Over HTTPS it is `Secure` and its prefix keeps other hosts of the domain from setting it; over
 * plain HTTP browsers would drop such a cookie.
 * Source: RFC 6265bis, section 4.1.3
 */
export function readSessionCookie(request: Request): string | undefined {
  const name = cookieName(request)
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = pair.split('=', 2)
    if (key?.trim() === name) return value?.trim()
  }
  return undefined
}

export function setSessionCookie(request: Request, response: Response, token: string): void {
  response.cookie(cookieName(request), token, cookieOptions(request))
}

export function clearSessionCookie(request: Request, response: Response): void {
  response.clearCookie(cookieName(request), cookieOptions(request))
}

function cookieName(request: Request): string {
  return request.secure ? '__Host-portal' : 'portal'
}

function cookieOptions(request: Request) {
  return { httpOnly: true, sameSite: 'lax', secure: request.secure, path: '/' } as const
}
