import { periodEnd } from '../metering/billing-period.js'
import type { CapabilityLimits } from '../metering/plans.js'

const DAY_MS = 24 * 60 * 60 * 1_000
/** A mean of fewer full days is not reliable. */
const MIN_FULL_DAYS = 3

/** The expected total of the current month if its remaining days are like the last ones. */
export interface MonthForecast {
  /** Mean of the last full days. */
  callsPerDay: number
  /** Number of full days in the mean, 3 to 7. */
  fullDays: number
  /** Charged calls at the end of the month if no limit stopped them. */
  expected: number
  /** When each limit is reached this month, in milliseconds since the epoch; undefined if it is not. */
  includedReachedAt: number | undefined
  hardCapReachedAt: number | undefined
}

export interface MonthSoFar {
  /** Charged calls of the month so far. */
  used: number
  /** Charged calls of the last full days, latest first; at most 7, so that each weekday counts once. */
  lastFullDays: readonly number[]
  limits: Pick<CapabilityLimits, 'included' | 'hardCap'>
  now: number
}

/**
 * Projects the current month from the mean of the last full days. Days and months are in UTC.
 * @returns undefined with fewer than three full days
 */
export function forecastMonth({
  used,
  lastFullDays,
  limits,
  now,
}: MonthSoFar): MonthForecast | undefined {
  const fullDays = lastFullDays.length
  if (fullDays < MIN_FULL_DAYS) return undefined
  const callsPerDay = lastFullDays.reduce((sum, calls) => sum + calls, 0) / fullDays
  const end = periodEnd(now)
  const reachedAt = (limit: number | undefined) => {
    if (limit === undefined || used >= limit || callsPerDay === 0) return undefined
    const at = now + ((limit - used) / callsPerDay) * DAY_MS
    return at < end ? at : undefined
  }
  return {
    callsPerDay,
    fullDays,
    expected: Math.round(used + (callsPerDay * (end - now)) / DAY_MS),
    includedReachedAt: reachedAt(limits.included),
    hardCapReachedAt: reachedAt(limits.hardCap),
  }
}
