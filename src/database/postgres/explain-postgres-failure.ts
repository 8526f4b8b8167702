import type { PostgresSettings } from '../../config/postgres-settings.js'
import type { StorageFailure } from '../../core/storage-state.js'
import type { StorageError } from '../storage-failure.js'

/** What to do about a failure, for the operator. */
const EXPLANATIONS: Record<StorageFailure, (server: string) => string> = {
  full: (server) => `The disk of ${server} is full. Nothing is damaged: free some space there.`,
  read_only: (server) =>
    `${server} does not accept writes: it is a standby, or set to read only. Let DATABASE_URL name the primary.`,
  locked: (server) =>
    `A query of another session on ${server} did not end in time, or all connections of this process are in use. Try again; if it persists, look at pg_stat_activity.`,
  unreachable: (server) =>
    `${server} cannot be reached. Check that the server runs, that the network leads to it, and the host, port and certificate in DATABASE_URL.`,
  io_error: (server) => `${server} could not read or write its files. Look at the server's log.`,
  too_many_files: (server) =>
    `${server} has no connections left. Raise max_connections there, lower DATABASE_POOL, or put a pooler before it.`,
  missing: (server) => `There is no such database: ${server}. Create it, or correct DATABASE_URL.`,
  damaged: (server) =>
    `${server} reports damaged data. Stop all replicas, keep a copy of the server's files, and restore the latest backup.`,
}

/** By the first pattern that a code matches: what is more exact than the explanation of the failure. */
const BY_CODE: readonly [RegExp, (server: string) => string][] = [
  [
    /^28/,
    (server) =>
      `${server} rejects the user or password of DATABASE_URL. Correct them there, or in pg_hba.conf.`,
  ],
  [
    /^57P03$/,
    (server) => `${server} is starting, stopping or recovering. Wait until it accepts connections.`,
  ],
]

/** Explains a failure of a PostgreSQL database, with its host and name but not its user or password. */
export function explainPostgresFailure(
  { failure, reason }: Pick<StorageError, 'failure' | 'reason'>,
  settings: Pick<PostgresSettings, 'url'>,
): string {
  const server = describeServer(settings)
  const [, explain = EXPLANATIONS[failure]] =
    BY_CODE.find(([pattern]) => pattern.test(reason)) ?? []
  return `${explain(server)} (${reason})`
}

/** Such as `PostgreSQL at db.example:5432, database service`. */
export function describeServer({ url }: Pick<PostgresSettings, 'url'>): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const host = hostname === '' ? (searchParams.get('host') ?? 'localhost') : hostname
  const database = decodeURIComponent(pathname.slice(1))
  const name = database === '' ? '' : `, database ${database}`
  return `PostgreSQL at ${host}:${port === '' ? '5432' : port}${name}`
}
