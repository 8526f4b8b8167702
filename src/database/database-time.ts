import { sql, type RawBuilder } from 'kysely'
import { isPostgres } from './dialect.js'
import type { Database } from './open-database.js'

/** When the statement began, by the clock of PostgreSQL. */
export const POSTGRES_TIME = sql<number>`cast(extract(epoch from statement_timestamp()) * 1000 as bigint)`

/**
 * The time of what replicas must agree on, in milliseconds since the epoch: PostgreSQL's own, or on SQLite that of its only
 * server.
 */
export function databaseTime(db: Database, now: number): RawBuilder<number> {
  return isPostgres(db) ? POSTGRES_TIME : sql<number>`${now}`
}
