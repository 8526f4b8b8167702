import { Kysely, PostgresDialect, sql } from 'kysely'
import type { PostgresSettings } from '../../config/postgres-settings.js'
import { describeServer } from '../../database/postgres/explain-postgres-failure.js'
import { WatchedPool } from '../../database/postgres/watched-pool.js'
import type { Tables } from '../../database/schema.js'
import { failed, ok, warning, type Finding } from '../check.js'
import { inspectPooler, type PoolerFacts } from './postgres-pooler.js'

/** Commands and background threads open connections beside the pool: as many as docs/scaling.md counts for a replica. */
const BESIDE_POOL = 5
/** Replicas that the connections of the server should allow, so that one more can start while an update rolls out. */
const LEAST_REPLICAS = 3

export interface ConnectionFacts extends PoolerFacts {
  /** Connections that the role may have to the database at a time. */
  limit: number
  /** Those of other programs than this service, at present. */
  others: number
}

/** Checks that PostgreSQL has connections for the service, and that migrations get a session of their own. Only reads. */
export async function checkConnections(settings: PostgresSettings): Promise<Finding> {
  const pool = new WatchedPool({ url: settings.url, poolSize: 1 })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    const pooler = await inspectPooler(settings)
    return judgeConnections({ ...(await readFacts(db)), ...pooler }, settings)
  } finally {
    await db.destroy()
  }
}

/** Whether there are enough connections, and sessions for migrations. */
export function judgeConnections(
  { limit, others, isPooled, isDirectPooled, isSameDatabase }: ConnectionFacts,
  settings: PostgresSettings,
): Finding {
  const { url, directUrl, poolSize, migrations } = settings
  if (!isSameDatabase) {
    return failed(
      `DATABASE_DIRECT_URL leads to another database than DATABASE_URL: ${describeServer({ url: directUrl })}`,
      'Let both name the same database: DATABASE_DIRECT_URL the server, DATABASE_URL the pooler before it.',
    )
  }
  if (isDirectPooled && migrations !== 'never') {
    const variable = url === directUrl ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'
    return failed(
      `${variable} leads through a pooler in transaction mode, where migrations cannot keep their lock`,
      'Set DATABASE_DIRECT_URL to the server itself, or MIGRATIONS=never where another process migrates.',
    )
  }
  if (isPooled) return ok(`through a pooler in transaction mode; the server allows ${limit}`)
  const left = Math.max(0, limit - others)
  const found = `${left} of ${limit} left by other programs; a replica opens up to ${poolSize}, and ${BESIDE_POOL} for commands`
  const fix =
    'Lower DATABASE_POOL, raise max_connections and the limits of role and database, or put a pooler before the server.'
  if (left < poolSize) return failed(found, fix)
  return left < LEAST_REPLICAS * (poolSize + BESIDE_POOL)
    ? warning(`${found}: too few for two replicas and one more during an upgrade`, fix)
    : ok(found)
}

async function readFacts(db: Kysely<Tables>): Promise<Pick<ConnectionFacts, 'limit' | 'others'>> {
  // A limit of -1 is none. `reserved_connections` came with PostgreSQL 16.
  const { rows } = await sql<Pick<ConnectionFacts, 'limit' | 'others'>>`
    select
      least(
        cast(current_setting('max_connections') as integer)
          - cast(current_setting('superuser_reserved_connections') as integer)
          - coalesce(cast(current_setting('reserved_connections', true) as integer), 0),
        (select nullif(datconnlimit, -1) from pg_database where datname = current_database()),
        (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user)
      ) as limit,
      (
        select count(*) from pg_stat_activity
        where datid is not null and usesysid is not null
          and application_name <> 'profile-intelligence'
      ) as others
  `.execute(db)
  return rows[0]!
}
