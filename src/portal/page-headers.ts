import type { RequestHandler } from 'express'
import helmet from 'helmet'

/**
 * What every answer of the portal carries: nothing inline, nothing from elsewhere, nothing kept by caches.
 * `same-origin` instead of no referrer at all, since browsers send `Origin: null` with forms otherwise.
 */
export function pageHeaders(): RequestHandler {
  const policy = helmet.contentSecurityPolicy({
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
    },
  })
  return (request, response, next) => {
    response.setHeader('Referrer-Policy', 'same-origin')
    // Browsers ignore it over plain HTTP, and complain in the console.
    if (!request.secure) response.removeHeader('Cross-Origin-Opener-Policy')
    response.setHeader('Cache-Control', 'no-store')
    response.setHeader('Permissions-Policy', 'camera=(), geolocation=(), microphone=()')
    policy(request, response, next)
  }
}
