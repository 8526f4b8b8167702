import type { Request } from 'express'
import type { Config } from '../config/config.js'

/** Scheme, host and port under which people reach the service, without a slash at the end. */
export function publicUrlOf(config: Pick<Config, 'publicUrl'>, request: Request): string {
  return config.publicUrl ?? `${request.protocol}://${request.host}`
}

/** The same where no request tells: for what is printed on the operator's terminal. */
export function configuredUrl(config: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  if (config.publicUrl !== undefined) return config.publicUrl
  const isEverywhere = config.host === '0.0.0.0' || config.host === '::'
  const host = isEverywhere ? 'localhost' : config.host
  return `http://${host.includes(':') ? `[${host}]` : host}:${config.port}`
}
