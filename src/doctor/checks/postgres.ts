import { Kysely, PostgresDialect, sql } from 'kysely'
import type { PostgresSettings } from '../../config/postgres-settings.js'
import { MigrationError } from '../../database/migrate-database.js'
import { POSTGRES_MIGRATIONS } from '../../database/postgres/migrations/postgres-migrations.js'
import {
  describeServer,
  explainPostgresFailure,
} from '../../database/postgres/explain-postgres-failure.js'
import { isNewer, listApplied } from '../../database/postgres/schema-compatibility.js'
import {
  HOW_TO_END_TRANSFER,
  isTransferUnfinished,
} from '../../database/postgres/transfer-state.js'
import { WatchedPool } from '../../database/postgres/watched-pool.js'
import type { Tables } from '../../database/schema.js'
import { StorageError } from '../../database/storage-failure.js'
import { failed, ok, type Finding } from '../check.js'

const OLDEST_VERSION = 15

export interface ServerFacts {
  /** Such as 150018 for 15.18. */
  version: number
  isStandby: boolean
  /** Whether transactions are read only unless they say otherwise, as an operator may set for a server, database or role. */
  isReadOnly: boolean
  encoding: string
}

/** Checks that PostgreSQL can be reached and used, and has a schema that this program knows. Only reads. */
export async function checkPostgres(settings: PostgresSettings): Promise<Finding> {
  const pool = new WatchedPool({ url: settings.url, poolSize: 1 })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    return judgeServer(await readFacts(db), settings) ?? (await checkSchema(db, settings))
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    return failed('it cannot be used', explainPostgresFailure(error, settings))
  } finally {
    await db.destroy()
  }
}

/** What is wrong with a server; undefined if nothing is. */
export function judgeServer(
  { version, isStandby, isReadOnly, encoding }: ServerFacts,
  settings: Pick<PostgresSettings, 'url'>,
): Finding | undefined {
  const server = describeServer(settings)
  const major = Math.floor(version / 10_000)
  if (major < OLDEST_VERSION) {
    return failed(
      `${server} has version ${major}`,
      `Upgrade it to PostgreSQL ${OLDEST_VERSION} or later.`,
    )
  }
  if (isStandby) {
    return failed(`${server} is a standby`, 'Let DATABASE_URL name the primary.')
  }
  if (isReadOnly) {
    return failed(
      `${server} is set to read only`,
      'Turn default_transaction_read_only off for the server, the database and the role of DATABASE_URL.',
    )
  }
  if (encoding !== 'UTF8') {
    return failed(
      `the encoding of ${server} is ${encoding}`,
      "Create a database for the service with: create database NAME encoding 'UTF8' template template0",
    )
  }
  return undefined
}

async function readFacts(db: Kysely<Tables>): Promise<ServerFacts> {
  const { rows } = await sql<ServerFacts>`
    select
      cast(current_setting('server_version_num') as integer) as version,
      pg_is_in_recovery() as "isStandby",
      cast(current_setting('default_transaction_read_only') as boolean) as "isReadOnly",
      current_setting('server_encoding') as encoding
  `.execute(db)
  return rows[0]!
}

async function checkSchema(db: Kysely<Tables>, settings: PostgresSettings): Promise<Finding> {
  const server = describeServer(settings)
  const applied = await listApplied(db)
  if (await isTransferUnfinished(db)) {
    return failed('an installation was not moved into it completely', HOW_TO_END_TRANSFER)
  }
  try {
    if (await isNewer(db, POSTGRES_MIGRATIONS)) {
      return ok(`${server}; a newer version has migrated it, and this one can use it`)
    }
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error
    return failed('its schema is not known', error.message)
  }
  const pending = Object.keys(POSTGRES_MIGRATIONS).length - applied.length
  if (pending === 0) return ok(server)
  if (settings.migrations === 'never') {
    return failed(`${server} lacks ${pending} migrations`, 'Run once with MIGRATIONS=only.')
  }
  return ok(`${server}; the next start runs ${pending} migrations`)
}
