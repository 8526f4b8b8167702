import type { Config } from './config.js'

export type Retention = Config['retention']

const DAY_MS = 24 * 60 * 60 * 1_000

/** Before when an event or a call is too old; undefined where nothing is. */
export function oldestKept(retention: Retention, now: number) {
  const before = (days: number | undefined) =>
    days === undefined ? undefined : now - days * DAY_MS
  return {
    event: before(retention.eventsDays),
    call: before(retention.callsDays),
    audit: before(retention.auditDays),
    usage: before(retention.usageDays),
  }
}
