import type { Database } from '../database/open-database.js'
import { dayOf } from '../events/calendar.js'
import { findScopeId, type EventScope } from '../events/event-scope.js'
import { limitsOf, type CapabilityLimits, type Plans } from '../metering/plans.js'
import { countUsage } from '../metering/quota.js'
import { CAPABILITIES, type Capability } from '../organizations/capability.js'
import { forecastMonth, type MonthForecast } from './forecast-month.js'

const FORECAST_DAYS = 7

/** The use of one capability in the current month against its plan. */
export interface CapabilityQuota {
  capability: Capability
  used: number
  limits: CapabilityLimits
  /** Undefined until enough full days are known. */
  forecast: MonthForecast | undefined
}

/** Charged calls of the current month in one environment against the plan, by capability. */
export async function quotaByCapability(
  { db, plans }: { db: Database; plans: Plans },
  { plan, now, ...scope }: EventScope & { plan: string; now: number },
): Promise<CapabilityQuota[]> {
  const lastFullDays = await countLastFullDays(db, scope, now)
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

/** Charged calls by capability of each of the last full days, latest first; none from before the first request ever. */
async function countLastFullDays(
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
  // The day of the first request is not a full day.
  const fullDays = first === undefined ? 0 : Math.max(0, today - first.day - 1)
  const rows = await db
    .selectFrom('usage_days')
    .select(({ fn }) => ['day', 'capability', fn.sum<number>('requests').as('calls')])
    .where('scope_id', '=', scopeId)
    .where('day', '>=', today - FORECAST_DAYS)
    .where('day', '<', today)
    .where('outcome', '=', 'ok')
    .groupBy(['day', 'capability'])
    .execute()
  return Array.from({ length: Math.min(fullDays, FORECAST_DAYS) }, (_, daysBack) => {
    const ofDay = rows.filter(({ day }) => day === today - 1 - daysBack)
    return new Map(ofDay.map(({ capability, calls }) => [capability, calls]))
  })
}
