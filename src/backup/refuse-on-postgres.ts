import { OperatorError } from '../core/operator-error.js'
import type { DatabasePlace } from '../database/open-database.js'
import { describeServer } from '../database/postgres/explain-postgres-failure.js'

type BackupCommand = 'backup' | 'restore' | 'start-anew'

const SECRET =
  'The file named by SERVER_SECRET_FILE belongs to the database: without it no key works. PLANS_FILE belongs to it too.'

/** What the operator does instead: PostgreSQL has tools of its own, and a copy of its files by others would not be sound. */
const INSTEAD: Record<BackupCommand, string> = {
  backup: `Back it up with pg_dump, which may run beside the servers: pg_dump --format=custom --file=FILE "$DATABASE_URL". To lose nothing of the last hours, archive its write-ahead log. ${SECRET} Keep copies of both elsewhere.`,
  restore: `Stop all replicas, create an empty database, restore into it with pg_restore --no-owner --single-transaction --dbname=URL FILE, and let DATABASE_URL name it. ${SECRET}`,
  'start-anew':
    'Create an empty database and a new server secret (head -c 32 /dev/urandom > FILE; chmod 600 FILE), and let DATABASE_URL and SERVER_SECRET_FILE name them.',
}

/**
 * Refuses a command that copies or moves the files of SQLite.
 * @throws OperatorError that says what to do instead, if the database is on PostgreSQL
 */
export function refuseOnPostgres({ postgres }: DatabasePlace, command: BackupCommand): void {
  if (!postgres) return
  throw new OperatorError(
    `The database is not in the data folder but on ${describeServer(postgres)}. ${INSTEAD[command]}`,
  )
}
