import type { RequestHandler } from 'express'
import type { Config } from '../config/config.js'
import { Refusal } from './refusal.js'

/**
 * Refuses requests for another host than that of `PUBLIC_URL`, such as those of a name that an attacker points to this
 * server. Ports are not compared, because proxies drop them.
 */
export function checkHost({ publicUrl }: Pick<Config, 'publicUrl'>): RequestHandler {
  const expected = publicUrl === undefined ? undefined : new URL(publicUrl).hostname
  return (request, _response, next) => {
    if (expected === undefined || request.hostname?.toLowerCase() === expected) return next()
    throw new Refusal(421, {
      title: 'The portal is at another address',
      message: `Open ${publicUrl}/portal. If you did, the proxy in front of the service must pass on the Host header.`,
    })
  }
}
