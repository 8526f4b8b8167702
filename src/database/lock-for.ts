import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { isPostgres } from './dialect.js'
import type { Database } from './open-database.js'

/** What must not be changed by two transactions at a time. */
export type LockedThing =
  'audit' | 'event partitions' | 'events' | 'organization' | 'purge' | 'sign-in' | 'sweep'

/**
 * Lets one transaction at a time read and change a thing, until the transaction ends. On PostgreSQL others wait for an advisory
 * lock; on SQLite there is nothing to do, because it has one writer at a time.
 *
 * Call it before the first query whose answer the transaction relies on: under READ COMMITTED, queries after it see what
 * the last holder has committed. A transaction that locks several things takes them in the order organisation, others, audit.
 * @param transaction - the lock is released when it ends
 * @param id - which one of these things; omitted if there is only one
 */
export async function lockFor(
  transaction: Database,
  thing: LockedThing,
  id: string | number = '',
): Promise<void> {
  if (!isPostgres(transaction)) return
  requireTransaction(transaction)
  await sql`select pg_advisory_xact_lock(cast(${keyOf(thing, id)} as bigint))`.execute(transaction)
}

/** As `lockFor`, but returns false at once while another transaction has the lock. On SQLite it returns true. */
export async function tryLockFor(transaction: Database, thing: LockedThing): Promise<boolean> {
  if (!isPostgres(transaction)) return true
  requireTransaction(transaction)
  const { rows } = await sql<{ is_locked: boolean }>`
    select pg_try_advisory_xact_lock(cast(${keyOf(thing, '')} as bigint)) as is_locked
  `.execute(transaction)
  return rows[0]?.is_locked === true
}

function requireTransaction(db: Database): void {
  if (!db.isTransaction) throw new Error('A lock needs a transaction that releases it.')
}

/**
 * The 64 bits that PostgreSQL locks. Two things with the same bits, once in 2⁶⁴, would only wait for each other.
 */
function keyOf(thing: LockedThing, id: string | number): string {
  const digest = createHash('sha256').update(`${thing}\n${id}`).digest()
  return digest.readBigInt64BE().toString()
}
