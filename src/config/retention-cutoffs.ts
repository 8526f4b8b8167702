import type { Config } from './config.js'

export type Retention = Config['retention']

const DAY_MS = 24 * 60 * 60 * 1_000

/** The times before which records are deleted, in milliseconds since the epoch; undefined where records are kept. */
export function retentionCutoffs(retention: Retention, now: number) {
  const cutoff = (days: number | undefined) =>
    days === undefined ? undefined : now - days * DAY_MS
  return {
    event: cutoff(retention.eventsDays),
    call: cutoff(retention.callsDays),
    audit: cutoff(retention.auditDays),
    usage: cutoff(retention.usageDays),
  }
}

/** Whether no record is ever deleted for its age. */
export function keepsEverything(retention: Retention): boolean {
  return Object.values(retention).every((days) => days === undefined)
}
