import { periodEnd } from '../metering/billing-period.js'
import type { CapabilityLimits } from '../metering/plans.js'

const DAY_MS = 24 * 60 * 60 * 1_000
/** With fewer full days than this a mean says little. */
const MIN_FULL_DAYS = 3

/** What the current month will come to if the days to come are like the last ones. */
export interface MonthForecast {
  /** Calls a day, the mean of the last full days. */
  callsPerDay: number
  /** How many full days that is the mean of: 3 to 7. */
  fullDays: number
  /** Charged calls at the end of the month if nothing stopped them. */
  expected: number
  /** When each limit is reached this month, in milliseconds since the epoch; undefined when it is not. */
  includedReachedAt: number | undefined
  hardCapReachedAt: number | undefined
}

export interface MonthSoFar {
  /** Charged calls of the month until now. */
  used: number
  /** Charged calls of each full day that is known, the latest first, 7 at most: each weekday counts once. */
  lastFullDays: readonly number[]
  limits: Pick<CapabilityLimits, 'included' | 'hardCap'>
  now: number
}

/**
 * Projects the month from the mean of the last full days, in UTC.
 * @returns undefined when fewer than three full days are known
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
