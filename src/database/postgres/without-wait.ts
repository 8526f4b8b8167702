import { sql } from 'kysely'

/**
 * A condition that is always true and with which the transaction of a statement on PostgreSQL does not wait for the disk when it
 * commits. Only for what may be lost in a crash of the server.
 */
export const WITHOUT_WAIT = sql<boolean>`set_config('synchronous_commit', 'off', true) = 'off'`
