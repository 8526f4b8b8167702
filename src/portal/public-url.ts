import type { Request } from 'express'
import type { Config } from '../config/config.js'

/** Scheme, host and port under which the client reached the service, without a trailing slash. */
export function publicUrlOf(config: Pick<Config, 'publicUrl'>, request: Request): string {
  return config.publicUrl ?? `${request.protocol}://${request.host}`
}

/** The same from the configuration alone, for links that are printed on the operator's terminal. */
export function configuredUrl(config: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  if (config.publicUrl !== undefined) return config.publicUrl
  const isWildcard = config.host === '0.0.0.0' || config.host === '::'
  const host = isWildcard ? 'localhost' : config.host
  return `http://${host.includes(':') ? `[${host}]` : host}:${config.port}`
}
