import type { RequestHandler } from 'express'
import type { Config } from '../config/config.js'
import { Refusal } from './refusal.js'

/**
 * Refuses requests for another host than that of `PUBLIC_URL`, such as those of a name that an attacker points to this
 * server. Ports are not compared, because proxies drop them. Without `PUBLIC_URL` links begin with the host of the request, so
 * it must be one.
 */
export function checkHost({ publicUrl }: Pick<Config, 'publicUrl'>): RequestHandler {
  const expected = publicUrl === undefined ? undefined : new URL(publicUrl).hostname
  return (request, _response, next) => {
    if (expected === undefined) {
      if (URL.canParse(`http://${request.host ?? ''}`)) return next()
      throw new Refusal(400, {
        title: 'This address cannot be read',
        message:
          'The Host header is not the name of a host. Check the proxy in front of the service.',
      })
    }
    if (request.hostname?.toLowerCase() === expected) return next()
    throw new Refusal(421, {
      title: 'The portal is at another address',
      message: `Open ${publicUrl}/portal. If you did, the proxy in front of the service must pass on the Host header.`,
    })
  }
}
