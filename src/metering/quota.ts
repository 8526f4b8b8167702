import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { isPostgres } from '../database/dialect.js'
import type { Database } from '../database/open-database.js'
import { ServiceError } from '../core/service-error.js'
import { periodEnd, periodOf } from './billing-period.js'
import {
  chargeLease,
  decrementPermits,
  deleteLease,
  deleteLiveLease,
  hasLapsed,
  insertLease,
  insertPermit,
  insertPermitAndLease,
  isOf,
  returnLapsedLeases,
  returnLeases,
  returnPermit,
  selectUsed,
  type KnownLease,
  type NewLease,
} from './quota-statements.js'
import type { QuotaScope } from './quota-scope.js'

export type { QuotaScope }

/**
 * The right of an admitted call to be charged. It counts against the cap until it is charged or returned; one past its
 * deadline is returned by whoever needs it, or by the next sweep.
 */
export interface QuotaLease {
  id: string
  scope: QuotaScope
  /** The month to charge: the one in which the call arrived. */
  period: string
}

/** What a charge leaves to know. */
export interface Charge {
  /** Calls charged in that month, this one included. */
  used: number
  /** Id of the transaction on PostgreSQL. */
  transaction: string | undefined
}

/**
 * Admits a call, unless the charged and running calls of the month have reached the hard cap. At one call below the cap,
 * exactly one of several concurrent calls is admitted, whichever server it comes to.
 * @param terms.deadline - when the lease lapses, in case the process dies. On PostgreSQL, as long after `now` by its own clock
 * @throws ServiceError `quota_exceeded`, with a retry at the start of the next month
 */
export async function reserveQuota(
  db: Database,
  scope: QuotaScope,
  { hardCap = Number.MAX_SAFE_INTEGER, now, deadline }: ReservationTerms,
): Promise<QuotaLease> {
  const lease = { id: randomUUID(), scope, period: periodOf(now) }
  const row = { ...scope, ...lease, hardCap, now, ttlMs: deadline - now }
  if (await (isPostgres(db) ? lendOnPostgres(db, row) : lendOnSqlite(db, row))) return lease
  throw new ServiceError(
    'quota_exceeded',
    'The monthly quota of the plan is used up. It resets at the start of the next month (UTC).',
    { retryAfterSeconds: Math.ceil((periodEnd(now) - now) / 1_000) },
  )
}

export interface ReservationTerms {
  /** Calls a month. Undefined: no cap. */
  hardCap: number | undefined
  now: number
  deadline: number
}

/** Before it refuses a call, it returns leases of processes that died, or waits for another server that does. */
async function lendOnPostgres(db: Database, row: NewLease): Promise<boolean> {
  const lend = async () => (await insertPermitAndLease(db, row)).numAffectedRows === 1n
  if (await lend()) return true
  await returnLapsedLeases(db, { now: row.now, of: row })
  return lend()
}

function lendOnSqlite(db: Database, row: NewLease): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const admit = async () => (await insertPermit(transaction, row)).numAffectedRows === 1n
    const makeRoom = () =>
      returnLeases(transaction, sql`${isOf(row)} and ${hasLapsed(db, row.now)}`)
    const isAdmitted = (await admit()) || ((await makeRoom()) > 0 && (await admit()))
    if (isAdmitted) await insertLease(transaction, row)
    return isAdmitted
  })
}

/**
 * Charges an admitted call. Call it in the transaction that makes the answer final.
 * @throws ServiceError `overloaded` if the lease has lapsed, because another call may have been admitted instead
 */
export async function settleQuota(
  transaction: Database,
  { id, scope, period }: QuotaLease,
  now: number,
): Promise<Charge> {
  const lease = { ...scope, period, id, now }
  const charge = await (isPostgres(transaction)
    ? chargeOnPostgres(transaction, lease)
    : chargeOnSqlite(transaction, lease))
  if (charge) return charge
  throw new ServiceError('overloaded', 'The call took too long and was not charged. Retry it.')
}

/** @returns undefined if the lease has lapsed */
async function chargeOnPostgres(db: Database, lease: KnownLease): Promise<Charge | undefined> {
  const { rows } = await chargeLease(db, lease)
  return rows[0]
}

async function chargeOnSqlite(db: Database, lease: KnownLease): Promise<Charge | undefined> {
  const { numAffectedRows } = await deleteLiveLease(db, lease)
  if (numAffectedRows !== 1n) return undefined
  const { rows } = await selectUsed(db, lease)
  return { used: rows[0]?.used ?? 0, transaction: undefined }
}

/**
 * Returns a lease without a charge.
 * @returns false when there was none: it has been charged, or had lapsed
 */
export async function releaseQuota(
  db: Database,
  { id, scope, period }: QuotaLease,
): Promise<boolean> {
  const row = { ...scope, period, id }
  if (isPostgres(db)) return (await returnPermit(db, row)).numAffectedRows === 1n
  return db.transaction().execute(async (transaction) => {
    const { numAffectedRows } = await deleteLease(transaction, row)
    if (numAffectedRows !== 1n) return false
    await decrementPermits(transaction, row)
    return true
  })
}

/** Returns the number of calls charged in the current month, without running calls. */
export async function countUsage(db: Database, scope: QuotaScope, now: number): Promise<number> {
  const { rows } = await selectUsed(db, { ...scope, period: periodOf(now) })
  return rows[0]?.used ?? 0
}

/** Returns all leases past their deadline. On PostgreSQL, leases in use by others are left to the next time. */
export async function returnLapsed(db: Database, now: number): Promise<void> {
  if (isPostgres(db)) return returnLapsedLeases(db, { now })
  const isGone = hasLapsed(db, now)
  const { rows } = await sql`select 1 from quota_leases where ${isGone} limit 1`.execute(db)
  if (rows.length === 0) return
  await db.transaction().execute((transaction) => returnLeases(transaction, isGone))
}

/** Returns all leases of SQLite, of which a single server has any. Only while no call can be running. */
export async function returnAll(db: Database): Promise<void> {
  await db.transaction().execute((transaction) => returnLeases(transaction, sql`true`))
}
