import { ConfigError } from './config-error.js'
import type { Environment } from './environment-schema.js'
import { readNamedFile } from './read-named-file.js'

/** How to reach a PostgreSQL database; version 15 or later. */
export interface PostgresSettings {
  /** `postgres:` URL; may lead through a pooler in transaction mode. */
  url: string
  /** URL for migrations, which need a session of their own: it must not lead through a pooler. */
  directUrl: string
  /** Connections of this process at a time. */
  poolSize: number
  /** `never`: refuses a database that is not up to date. Otherwise who opens it brings it up to date. */
  migrations: 'start' | 'only' | 'never'
}

/** Where the database is: in the data folder, or on a PostgreSQL server. */
export interface DatabasePlace {
  dataDir: string
  postgres?: PostgresSettings | undefined
}

/**
 * Undefined when the database is that of the data folder.
 * @throws ConfigError
 */
export function readPostgresSettings(env: Environment): PostgresSettings | undefined {
  const url = env.DATABASE_URL ?? readUrlFile(env.DATABASE_URL_FILE)
  if (url === undefined) {
    if (env.MIGRATIONS === 'start') return undefined
    throw new ConfigError('MIGRATIONS is for PostgreSQL: set DATABASE_URL or DATABASE_URL_FILE.')
  }
  return {
    url,
    directUrl: env.DATABASE_DIRECT_URL ?? url,
    poolSize: env.DATABASE_POOL,
    migrations: env.MIGRATIONS,
  }
}

function readUrlFile(file: string | undefined): string | undefined {
  if (file === undefined) return undefined
  const url = readNamedFile('DATABASE_URL_FILE', file).trim()
  if (/^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url)) return url
  throw new ConfigError(`The file named by DATABASE_URL_FILE holds no postgres: URL: ${file}`)
}
