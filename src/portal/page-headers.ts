import type { RequestHandler } from 'express'
import helmet from 'helmet'
import type { Config } from '../config/config.js'
import { usesHttps } from './portal-cookies.js'

/**
 * Security headers of every portal response: no inline code, nothing from other hosts, no caching.
 * `Referrer-Policy` is `same-origin` because with `no-referrer` browsers send `Origin: null` with forms.
 */
export function pageHeaders(config: Pick<Config, 'publicUrl'>): RequestHandler {
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
    // Over plain HTTP browsers ignore this header and log a warning to the console.
    if (!usesHttps(config, request)) response.removeHeader('Cross-Origin-Opener-Policy')
    response.setHeader('Cache-Control', 'no-store')
    response.setHeader('Permissions-Policy', 'camera=(), geolocation=(), microphone=()')
    policy(request, response, next)
  }
}
