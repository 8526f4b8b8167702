import type { Database } from '../database/open-database.js'
import { isoWeekName, weekOf, weekStart } from './calendar.js'
import { findScopeId, type EventScope } from './event-scope.js'

const MAX_WEEKS = 53

export interface RetentionQuery extends EventScope {
  /** Milliseconds since the epoch. Cohorts of each ISO week in UTC that overlaps [from, to) are returned. */
  from: number
  to: number
  /** Milliseconds since the epoch. Weeks that start later are omitted; the current one counts as far as it has come. */
  now: number
  /** How many weeks to follow a cohort, including its first one: 1 to 53. Defaults to 13. */
  weeks?: number | undefined
}

/** The end users whose first event was in the same week. */
export interface RetentionCohort {
  /** The ISO week, such as `2026-W28`. */
  week: string
  /** Monday 00:00 UTC of that week, in milliseconds since the epoch. */
  startsAt: number
  users: number
  /** At index k, how many of them had an event in the k-th week after their first. */
  active: number[]
  /** At index k, `active[k] / users`, in [0, 1]; 1 at index 0. */
  retention: number[]
}

/**
 * Cohorts of end users by the week of their first event, earliest first. Weeks without new end users are omitted. It reads
 * one row for each cohort and week, so its cost does not grow with the number of events.
 */
export async function weeklyRetention(
  db: Database,
  { from, to, now, weeks = 13, ...scope }: RetentionQuery,
): Promise<RetentionCohort[]> {
  const scopeId = await findScopeId(db, scope)
  const length = Math.min(Math.max(Math.trunc(weeks), 1), MAX_WEEKS)
  const rows = await db
    .selectFrom('retention_cohorts')
    .select(['first_week', 'week', 'users'])
    .where('scope_id', '=', scopeId)
    .where('first_week', '>=', weekOf(from))
    .where('first_week', '<=', weekOf(to - 1))
    .where((where) => where('week', '<', where('first_week', '+', length)))
    .where('users', '>', 0)
    .orderBy('first_week')
    .orderBy('week')
    .execute()
  const cohorts = new Map<number, Map<number, number>>()
  for (const { first_week, week, users } of rows) {
    const cohort = cohorts.get(first_week) ?? new Map<number, number>()
    cohorts.set(first_week, cohort.set(week, users))
  }
  return [...cohorts].map(([firstWeek, usersByWeek]) => {
    const elapsed = Math.min(length, Math.max(1, weekOf(now) - firstWeek + 1))
    const active = Array.from({ length: elapsed }, (_, k) => usersByWeek.get(firstWeek + k) ?? 0)
    const users = usersByWeek.get(firstWeek) ?? 0
    return {
      week: isoWeekName(firstWeek),
      startsAt: weekStart(firstWeek),
      users,
      active,
      retention: active.map((count) => count / users),
    }
  })
}
