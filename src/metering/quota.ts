import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { isPostgres } from '../database/dialect.js'
import { lockFor } from '../database/lock-for.js'
import type { Database } from '../database/open-database.js'
import { prepareQuery } from '../database/prepare-query.js'
import { ServiceError } from '../core/service-error.js'
import { periodEnd, periodOf } from './billing-period.js'
import type { Capability, Environment } from '../organizations/capability.js'

/** Quota is counted separately for each organisation, environment and capability. */
export interface QuotaScope {
  organizationId: string
  environment: Environment
  capability: Capability
}

/** An admitted call that is not charged yet. It counts against the cap until its deadline. */
export interface Reservation {
  id: string
  scope: QuotaScope
  /** The month to charge: the one in which the call arrived. */
  period: string
}

/**
 * Admits a call, unless the charged and running calls of the month have reached the hard cap. At one call below the cap,
 * exactly one of several concurrent calls is admitted.
 * @param terms.deadline - when the reservation lapses, in case the process dies
 * @throws ServiceError `quota_exceeded`, with a retry at the start of the next month
 */
export async function reserveQuota(
  db: Database,
  scope: QuotaScope,
  terms: { hardCap: number | undefined; now: number; deadline: number },
): Promise<Reservation> {
  const id = randomUUID()
  const period = periodOf(terms.now)
  const { numAffectedRows } = await insertAlone(db, {
    ...scope,
    ...terms,
    id,
    period,
    hardCap: terms.hardCap ?? Number.MAX_SAFE_INTEGER,
  })
  if (numAffectedRows === 1n) return { id, scope, period }
  throw new ServiceError(
    'quota_exceeded',
    'The monthly quota of the plan is used up. It resets at the start of the next month (UTC).',
    { retryAfterSeconds: Math.ceil((periodEnd(terms.now) - terms.now) / 1_000) },
  )
}

/**
 * Charges an admitted call. Call it in the transaction that makes the answer final.
 * @returns the number of calls charged in that month, including this one
 * @throws ServiceError `overloaded` if the reservation has lapsed, because another call may have been admitted instead
 */
export async function settleQuota(
  db: Database,
  { id, scope, period }: Reservation,
  now: number,
): Promise<number> {
  const { numAffectedRows } = await deleteReservation(db, { ...scope, period, id, now })
  if (numAffectedRows !== 1n) {
    throw new ServiceError('overloaded', 'The call took too long and was not charged. Retry it.')
  }
  const { rows } = await incrementUsage(db, { ...scope, period })
  return rows[0]?.used ?? 0
}

/** Releases a reservation without charging it. */
export async function releaseQuota(
  db: Database,
  { id, scope, period }: Reservation,
): Promise<void> {
  await deleteReservation(db, { ...scope, period, id, now: 0 })
}

type NewReservation = ScopedPeriod & {
  id: string
  hardCap: number
  now: number
  deadline: number
}

/** A single statement is alone on SQLite. On PostgreSQL two of them would count before either has inserted. */
function insertAlone(db: Database, reservation: NewReservation) {
  if (!isPostgres(db)) return insertReservation(db, reservation)
  const { organizationId, environment, capability } = reservation
  return db.transaction().execute(async (transaction) => {
    await lockFor(transaction, 'quota', `${organizationId} ${environment} ${capability}`)
    return insertReservation(transaction, reservation)
  })
}

/** Returns the number of calls charged in the current month, without running calls. */
export async function countUsage(db: Database, scope: QuotaScope, now: number): Promise<number> {
  const { rows } = await findUsage(db, { ...scope, period: periodOf(now) })
  return rows[0]?.used ?? 0
}

type ScopedPeriod = QuotaScope & { period: string }

const findUsage = prepareQuery((db, value: ScopedPeriod) =>
  db
    .selectFrom('quota_usage')
    .select('used')
    .where('organization_id', '=', value.organizationId)
    .where('environment', '=', value.environment)
    .where('capability', '=', value.capability)
    .where('period', '=', value.period),
)

const incrementUsage = prepareQuery((db, value: ScopedPeriod) =>
  db
    .insertInto('quota_usage')
    .values({
      organization_id: value.organizationId,
      environment: value.environment,
      capability: value.capability,
      period: value.period,
      used: 1,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'environment', 'capability', 'period'])
        .doUpdateSet((set) => ({ used: set('quota_usage.used', '+', 1) })),
    )
    .returning('used'),
)

const insertReservation = prepareQuery((db, value: NewReservation) =>
  db
    .insertInto('quota_reservations')
    .columns(['organization_id', 'environment', 'capability', 'period', 'id', 'deadline'])
    .expression(
      db
        .selectNoFrom((select) => [
          select.val(value.organizationId).as('organization_id'),
          select.val(value.environment).as('environment'),
          select.val(value.capability).as('capability'),
          select.val(value.period).as('period'),
          select.val(value.id).as('id'),
          select.val(value.deadline).as('deadline'),
        ])
        .where(
          sql<boolean>`${usedCount(db, value)} + ${runningCount(db, value)} < ${value.hardCap}`,
        ),
    ),
)

function usedCount(db: Database, value: ScopedPeriod) {
  return db
    .selectFrom('quota_usage')
    .select((sum) => sum.fn.coalesce(sum.fn.sum<number>('used'), sum.lit(0)).as('used'))
    .where('organization_id', '=', value.organizationId)
    .where('environment', '=', value.environment)
    .where('capability', '=', value.capability)
    .where('period', '=', value.period)
}

function runningCount(db: Database, value: ScopedPeriod & { now: number }) {
  return db
    .selectFrom('quota_reservations')
    .select((count) => count.fn.countAll<number>().as('running'))
    .where('organization_id', '=', value.organizationId)
    .where('environment', '=', value.environment)
    .where('capability', '=', value.capability)
    .where('period', '=', value.period)
    .where('deadline', '>', value.now)
}

const deleteReservation = prepareQuery((db, value: ScopedPeriod & { id: string; now: number }) =>
  db
    .deleteFrom('quota_reservations')
    .where('organization_id', '=', value.organizationId)
    .where('environment', '=', value.environment)
    .where('capability', '=', value.capability)
    .where('period', '=', value.period)
    .where('id', '=', value.id)
    .where('deadline', '>', value.now),
)
