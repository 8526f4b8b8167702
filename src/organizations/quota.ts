import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../database/open-database.js'
import { ServiceError } from '../errors.js'
import { periodEnd, periodOf } from './billing-period.js'
import type { Capability, Environment } from './capability.js'

/** What is counted apart: test and live, and every capability, of every organisation. */
export interface QuotaScope {
  organizationId: string
  environment: Environment
  capability: Capability
}

/** A call that is let in and not yet charged. It counts against the cap until its deadline. */
export interface Reservation {
  id: string
  scope: QuotaScope
  /** The month that will be charged: the one in which the call came. */
  period: string
}

/**
 * Lets one call in, or refuses it when charged and running calls of the month fill the hard cap. One statement, so
 * that of any number of calls at the cap minus one exactly one is let in.
 * @param terms.deadline - when the reservation lapses by itself, for a process that dies
 * @throws ServiceError `quota_exceeded`, to be retried when the next month begins
 */
export async function reserveQuota(
  db: Database,
  scope: QuotaScope,
  terms: { hardCap: number | undefined; now: number; deadline: number },
): Promise<Reservation> {
  const id = randomUUID()
  const period = periodOf(terms.now)
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('quota_reservations')
    .columns(['id', 'organization_id', 'environment', 'capability', 'period', 'deadline'])
    .expression(
      db
        .selectNoFrom((value) => [
          value.val(id).as('id'),
          value.val(scope.organizationId).as('organization_id'),
          value.val(scope.environment).as('environment'),
          value.val(scope.capability).as('capability'),
          value.val(period).as('period'),
          value.val(terms.deadline).as('deadline'),
        ])
        .$if(terms.hardCap !== undefined, (select) =>
          select.where(
            sql<boolean>`${usedCount(db, scope, period)} + ${runningCount(db, scope, { period, now: terms.now })} < ${terms.hardCap}`,
          ),
        ),
    )
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 1n) return { id, scope, period }
  throw new ServiceError(
    'quota_exceeded',
    'The monthly quota of the plan is used up. It starts anew with the next month (UTC).',
    { retryAfterSeconds: Math.ceil((periodEnd(terms.now) - terms.now) / 1_000) },
  )
}

/**
 * Charges a call that was let in. Belongs into the transaction that makes its answer final.
 * @returns the calls charged in that month so far, this one included
 * @throws ServiceError `overloaded` when the reservation has lapsed, since another call may have its place
 */
export async function settleQuota(
  db: Database,
  reservation: Reservation,
  now: number,
): Promise<number> {
  const { numDeletedRows } = await deletionOf(db, reservation)
    .where('deadline', '>', now)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) {
    throw new ServiceError('overloaded', 'The call took too long and was not charged. Retry it.')
  }
  const { organizationId, environment, capability } = reservation.scope
  const { used } = await db
    .insertInto('quota_usage')
    .values({
      organization_id: organizationId,
      environment,
      capability,
      period: reservation.period,
      used: 1,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'environment', 'capability', 'period'])
        .doUpdateSet((set) => ({ used: set('quota_usage.used', '+', 1) })),
    )
    .returning('used')
    .executeTakeFirstOrThrow()
  return used
}

/** Gives a place back uncharged. */
export async function releaseQuota(db: Database, reservation: Reservation): Promise<void> {
  await deletionOf(db, reservation).execute()
}

/** The calls charged in the current month; those that run are not among them. */
export async function countUsage(db: Database, scope: QuotaScope, now: number): Promise<number> {
  const row = await db
    .selectFrom('quota_usage')
    .select('used')
    .where('organization_id', '=', scope.organizationId)
    .where('environment', '=', scope.environment)
    .where('capability', '=', scope.capability)
    .where('period', '=', periodOf(now))
    .executeTakeFirst()
  return row?.used ?? 0
}

function deletionOf(db: Database, { id, scope, period }: Reservation) {
  return db
    .deleteFrom('quota_reservations')
    .where('organization_id', '=', scope.organizationId)
    .where('environment', '=', scope.environment)
    .where('capability', '=', scope.capability)
    .where('period', '=', period)
    .where('id', '=', id)
}

function usedCount(db: Database, scope: QuotaScope, period: string) {
  return db
    .selectFrom('quota_usage')
    .select((sum) => sum.fn.coalesce(sum.fn.sum<number>('used'), sum.lit(0)).as('used'))
    .where('organization_id', '=', scope.organizationId)
    .where('environment', '=', scope.environment)
    .where('capability', '=', scope.capability)
    .where('period', '=', period)
}

function runningCount(db: Database, scope: QuotaScope, at: { period: string; now: number }) {
  return db
    .selectFrom('quota_reservations')
    .select((count) => count.fn.countAll<number>().as('running'))
    .where('organization_id', '=', scope.organizationId)
    .where('environment', '=', scope.environment)
    .where('capability', '=', scope.capability)
    .where('period', '=', at.period)
    .where('deadline', '>', at.now)
}
