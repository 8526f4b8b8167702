import pg from 'pg'
import type { PostgresSettings } from '../../config/postgres-settings.js'
import { toPostgresStorageError } from '../../database/postgres/postgres-failure.js'

export interface PoolerFacts {
  /** Whether DATABASE_URL leads through a pooler that lends sessions for a transaction at a time. */
  isPooled: boolean
  /** The same of the URL for migrations. */
  isDirectPooled: boolean
  /** Whether both URLs lead to the same database of the same server. */
  isSameDatabase: boolean
}

interface Session {
  /** The process of the server that answered. */
  pid: number
  /** Of the database and the start of its server. */
  identity: string
}

const CONNECTION_TIMEOUT_MS = 5_000

/**
 * Finds out how the URLs of a database lead to it.
 * @throws StorageError
 */
export async function inspectPooler({
  url,
  directUrl,
}: Pick<PostgresSettings, 'url' | 'directUrl'>): Promise<PoolerFacts> {
  try {
    const sessions = await observeSessions(url)
    const direct = url === directUrl ? sessions : await observeSessions(directUrl)
    return {
      isPooled: isShared(sessions),
      isDirectPooled: isShared(direct),
      isSameDatabase: sessions[0].identity === direct[0].identity,
    }
  } catch (error) {
    throw toPostgresStorageError(error)
  }
}

type Observed = [Session, Session, Session, Session]

/** What two connections see, in turns: each of their queries is a transaction. */
async function observeSessions(url: string): Promise<Observed> {
  const clients = [createClient(url), createClient(url)] as const
  try {
    await Promise.all(clients.map((client) => client.connect()))
    const [one, other] = clients
    return [await ask(one), await ask(other), await ask(one), await ask(other)]
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
}

/** Connections of their own have one process each, always the same. */
function isShared([one, other, oneAgain, otherAgain]: Observed): boolean {
  return one.pid === other.pid || one.pid !== oneAgain.pid || other.pid !== otherAgain.pid
}

function createClient(connectionString: string): pg.Client {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    query_timeout: CONNECTION_TIMEOUT_MS,
    application_name: 'profile-intelligence',
  })
  // Its query fails all the same.
  client.on('error', () => {})
  return client
}

async function ask(client: pg.Client): Promise<Session> {
  const { rows } = await client.query<Session>(`
    select
      pg_backend_pid() as pid,
      concat_ws(' ', extract(epoch from pg_postmaster_start_time()), oid) as identity
    from pg_database where datname = current_database()
  `)
  return rows[0]!
}
