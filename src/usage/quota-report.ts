import type { Database } from '../database/open-database.js'
import { dayOf } from '../events/calendar.js'
import { findScopeId, type EventScope } from '../events/event-scope.js'
import { CAPABILITIES, type Capability } from '../organizations/capability.js'
import { limitsOf, type CapabilityLimits, type Plans } from '../metering/plans.js'
import { countUsage } from '../metering/quota.js'
import { forecastMonth, type MonthForecast } from './forecast-month.js'

const DAYS_OF_A_FORECAST = 7

/** How one capability stands against the plan in the current month. */
export interface CapabilityQuota {
  capability: Capability
  used: number
  limits: CapabilityLimits
  /** Undefined while too little is known. */
  forecast: MonthForecast | undefined
}

/** Charged calls of the current month against the plan, by capability, of one environment. */
export async function quotaByCapability(
  { db, plans }: { db: Database; plans: Plans },
  { plan, now, ...scope }: EventScope & { plan: string; now: number },
): Promise<CapabilityQuota[]> {
  const lastFullDays = await chargedOnLastFullDays(db, scope, now)
  return Promise.all(
    CAPABILITIES.map(async (capability) => {
      const limits = limitsOf(plans, { plan, environment: scope.environment }, capability)
      const used = await countUsage(db, { ...scope, capability }, now)
      const days = lastFullDays.map((calls) => calls.get(capability) ?? 0)
      const forecast = forecastMonth({ used, lastFullDays: days, limits, now })
      return { capability, used, limits, forecast }
    }),
  )
}

/** Charged calls of each of the last days that ended, the latest first; none from before the first request ever. */
async function chargedOnLastFullDays(
  db: Database,
  scope: EventScope,
  now: number,
): Promise<Map<string, number>[]> {
  const scopeId = await findScopeId(db, scope)
  const today = dayOf(now)
  const first = await db
    .selectFrom('usage_days')
    .select('day')
    .where('scope_id', '=', scopeId)
    .orderBy('day')
    .limit(1)
    .executeTakeFirst()
  // The first day has its beginning missing.
  const known = first === undefined ? 0 : Math.max(0, today - first.day - 1)
  const rows = await db
    .selectFrom('usage_days')
    .select(({ fn }) => ['day', 'capability', fn.sum<number>('requests').as('calls')])
    .where('scope_id', '=', scopeId)
    .where('day', '>=', today - DAYS_OF_A_FORECAST)
    .where('day', '<', today)
    .where('outcome', '=', 'ok')
    .groupBy(['day', 'capability'])
    .execute()
  return Array.from({ length: Math.min(known, DAYS_OF_A_FORECAST) }, (_, ago) => {
    const ofDay = rows.filter(({ day }) => day === today - 1 - ago)
    return new Map(ofDay.map(({ capability, calls }) => [capability, calls]))
  })
}
