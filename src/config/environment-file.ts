import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { ConfigError } from './config-error.js'

export const DEFAULT_ENVIRONMENT_FILE = '.env'

/**
 * Reads the variables in a file of `NAME=value` lines, without empty ones.
 * @param named - file that must exist; the default file is optional
 * @throws ConfigError when the named file does not exist
 */
export function readEnvironmentFile(named: string | undefined): Record<string, string> {
  const file = named ?? DEFAULT_ENVIRONMENT_FILE
  if (existsSync(file)) return dropEmpty(parseEnv(readFileSync(file, 'utf8')))
  if (named === undefined) return {}
  throw new ConfigError(`The file named by ENV_FILE does not exist: ${named}`)
}

/** Removes empty variables, which count as unset. */
export function dropEmpty(env: NodeJS.Dict<string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  )
}
