import type { Request } from 'express'
import type { Config } from '../config/config.js'

/** Scheme, host and port under which the client reached the service, without a trailing slash. */
export function publicUrlOf(config: Pick<Config, 'publicUrl'>, request: Request): string {
  return config.publicUrl ?? `${request.protocol}://${request.host}`
}
