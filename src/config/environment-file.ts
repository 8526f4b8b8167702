import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { ConfigError } from './config-error.js'

export const DEFAULT_ENVIRONMENT_FILE = '.env'

/**
 * The variables of a file of `NAME=value` lines, without empty ones.
 * @param named - has to be there; the default file may be missing
 * @throws ConfigError when it is not
 */
export function readEnvironmentFile(named: string | undefined): Record<string, string> {
  const file = named ?? DEFAULT_ENVIRONMENT_FILE
  if (existsSync(file)) return dropEmpty(parseEnv(readFileSync(file, 'utf8')))
  if (named === undefined) return {}
  throw new ConfigError(`The file that ENV_FILE names does not exist: ${named}`)
}

/** An empty variable counts as unset. */
export function dropEmpty(env: NodeJS.Dict<string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  )
}
