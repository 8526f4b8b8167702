import type { Config } from './config.js'

/**
 * Returns the base URL of the service from the configuration alone, for links printed on a terminal; without a trailing
 * slash.
 */
export function configuredUrl(config: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  if (config.publicUrl !== undefined) return config.publicUrl
  const isWildcard = config.host === '0.0.0.0' || config.host === '::'
  const host = isWildcard ? 'localhost' : config.host
  return `http://${host.includes(':') ? `[${host}]` : host}:${config.port}`
}
