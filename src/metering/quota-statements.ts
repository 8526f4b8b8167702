import { sql, type RawBuilder } from 'kysely'
import { databaseTime } from '../database/database-time.js'
import type { Database } from '../database/open-database.js'
import { WITHOUT_WAIT } from '../database/postgres/without-wait.js'
import { prepareSql } from '../database/prepare-query.js'
import type { QuotaScope } from './quota-scope.js'

/** The calls of a scope in one calendar month. */
export type ScopedPeriod = QuotaScope & { period: string }

/** Times are milliseconds since the epoch by the clock of the server, which SQLite uses; PostgreSQL has a clock of its own. */
export type KnownLease = ScopedPeriod & { id: string; now: number }

export type NewLease = KnownLease & { hardCap: number; ttlMs: number }

const SCOPE = sql`organization_id, environment, capability, period`

export const isOf = (value: ScopedPeriod) => sql<boolean>`
  organization_id = ${value.organizationId} and environment = ${value.environment}
  and capability = ${value.capability} and period = ${value.period}`

/** Admits a call if the month has fewer permits than the cap: one affected row, or none. */
export const insertPermit = prepareSql((_db, value: ScopedPeriod & { hardCap: number }) =>
  permit(value, sql`true`),
)

export const insertLease = prepareSql(
  (db, value: NewLease) => sql`
    insert into quota_leases (${SCOPE}, id, deadline) values (
      ${value.organizationId}, ${value.environment}, ${value.capability}, ${value.period},
      ${value.id}, ${databaseTime(db, value.now)} + cast(${value.ttlMs} as bigint)
    )`,
)

/** Both in one statement on PostgreSQL: one affected row, or none. A lease that is lost in a crash is never charged. */
export const insertPermitAndLease = prepareSql(
  (db, value: NewLease) => sql`
    with permit as (${permit(value, WITHOUT_WAIT)} returning 1)
    insert into quota_leases (${SCOPE}, id, deadline)
    select ${value.organizationId}, ${value.environment}, ${value.capability}, ${value.period},
      ${value.id}, ${databaseTime(db, value.now)} + cast(${value.ttlMs} as bigint)
    from permit`,
)

/** `on conflict` compares with the latest row, also when another transaction has just changed it. */
function permit(value: ScopedPeriod & { hardCap: number }, where: RawBuilder<unknown>) {
  return sql`
    insert into quota_usage (${SCOPE}, admitted)
    select ${value.organizationId}, ${value.environment}, ${value.capability}, ${value.period}, 1
    where 0 < cast(${value.hardCap} as bigint) and ${where}
    on conflict (${SCOPE}) do update set admitted = quota_usage.admitted + 1
    where quota_usage.admitted < cast(${value.hardCap} as bigint)`
}

/** Ends a lease that has not lapsed, so that its permit counts as used: one affected row, or none. */
export const deleteLiveLease = prepareSql(
  (db, value: KnownLease) => sql`
    delete from quota_leases
    where ${isOf(value)} and id = ${value.id} and deadline > ${databaseTime(db, value.now)}`,
)

export const deleteLease = prepareSql(
  (_db, value: ScopedPeriod & { id: string }) => sql`
    delete from quota_leases where ${isOf(value)} and id = ${value.id}`,
)

export const decrementPermits = prepareSql(
  (_db, value: ScopedPeriod) => sql`
    update quota_usage set admitted = admitted - 1 where ${isOf(value)}`,
)

/** Both in one statement on PostgreSQL: one affected row, or none. A return that is lost in a crash comes with the deadline. */
export const returnPermit = prepareSql(
  (_db, value: ScopedPeriod & { id: string }) => sql`
    with gone as (
      delete from quota_leases where ${isOf(value)} and id = ${value.id} and ${WITHOUT_WAIT} returning 1
    )
    update quota_usage set admitted = admitted - 1 where ${isOf(value)} and exists (select from gone)`,
)

/** Permits that are not leased, so calls that were charged. */
export const selectUsed = prepareSql(
  (_db, value: ScopedPeriod) => sql<{ used: number }>`
    select admitted - (select count(*) from quota_leases where ${isOf(value)}) as used
    from quota_usage where ${isOf(value)}`,
)

/**
 * `deleteLiveLease` and `selectUsed` in one statement on PostgreSQL, with the transaction in which it runs: no row if there was no such
 * lease. All parts of a statement see the leases as they were before it, this one among them.
 */
export const chargeLease = prepareSql(
  (db, value: KnownLease) => sql<{ used: number; transaction: string }>`
    with gone as (
      delete from quota_leases
      where ${isOf(value)} and id = ${value.id} and deadline > ${databaseTime(db, value.now)} returning 1
    )
    select coalesce(admitted - (select count(*) from quota_leases where ${isOf(value)}) + 1, 0) as used,
      cast(pg_current_xact_id() as text) as transaction
    from gone left join quota_usage on ${isOf(value)}`,
)

/** Condition on `quota_leases`. */
export const hasLapsed = (db: Database, now: number) =>
  sql<boolean>`deadline <= ${databaseTime(db, now)}`

/**
 * Returns the permits of lapsed leases on PostgreSQL, without those that another transaction has in hand.
 * @param of - only those of one scope and month; a statement that does the same for that scope waits for this one
 */
export async function returnLapsedLeases(
  db: Database,
  { now, of }: { now: number; of?: ScopedPeriod },
): Promise<void> {
  const isWanted = of
    ? sql`${isOf(of)} and exists (select from quota_usage where ${isOf(of)} for update)`
    : sql`true`
  await sql`
    with gone as (
      delete from quota_leases where (${SCOPE}, id) in (
        select ${SCOPE}, id from quota_leases where ${hasLapsed(db, now)} and ${isWanted} for update skip locked
      ) returning ${SCOPE}
    ), counts as (select ${SCOPE}, count(*) as permits from gone group by ${SCOPE})
    update quota_usage set admitted = admitted - permits from counts
    where ${IS_OF_COUNTS}
  `.execute(db)
}

const IS_OF_COUNTS = sql`
  quota_usage.organization_id = counts.organization_id and quota_usage.environment = counts.environment
  and quota_usage.capability = counts.capability and quota_usage.period = counts.period`

/**
 * Returns the permits of leases on SQLite, where a transaction is alone.
 * @returns how many there were
 */
export async function returnLeases(
  transaction: Database,
  isGone: RawBuilder<unknown>,
): Promise<number> {
  await sql`
    update quota_usage set admitted = admitted - permits
    from (select ${SCOPE}, count(*) as permits from quota_leases where ${isGone} group by ${SCOPE}) as counts
    where ${IS_OF_COUNTS}
  `.execute(transaction)
  const { numAffectedRows } = await sql`delete from quota_leases where ${isGone}`.execute(
    transaction,
  )
  return Number(numAffectedRows ?? 0)
}
