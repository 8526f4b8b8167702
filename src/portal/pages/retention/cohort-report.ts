import { weekOf, weekStart } from '../../../events/calendar.js'
import { weeklyRetention, type RetentionCohort } from '../../../events/weekly-retention.js'
import { formatDay } from '../../analytics/format-date.js'
import { formatCount, formatShare } from '../../analytics/format-number.js'
import { roundShare, type ReportColumn, type ReportTable } from '../../analytics/report-table.js'
import type { MemberVisit } from '../../visit.js'

const WEEK_MS = 7 * 24 * 60 * 60 * 1_000
/** How many weeks of cohorts are shown, by the value of `?period=`. */
const COHORT_WEEKS = { '12w': 12, '26w': 26, '52w': 52 } as const
export type CohortPeriod = keyof typeof COHORT_WEEKS
/** How many weeks after its first a cohort is followed. */
export const FOLLOWED_WEEKS = 12

export interface CohortReport {
  period: CohortPeriod
  /** Latest first. */
  cohorts: RetentionCohort[]
  /** Share of all end users who were active, by weeks after their first; null until one such week is over. */
  average: (number | null)[]
  /** How many weeks after a cohort's first week the current, unfinished week is. */
  currentWeekOf: (cohort: RetentionCohort) => number
}

export async function loadCohorts({
  services,
  session,
  environment,
  query,
  now,
}: MemberVisit): Promise<CohortReport> {
  const requested = query.get('period') ?? ''
  const period = Object.hasOwn(COHORT_WEEKS, requested) ? (requested as CohortPeriod) : '12w'
  const to = weekStart(weekOf(now) + 1)
  const cohorts = await weeklyRetention(services.db, {
    organizationId: session.organizationId,
    environment,
    from: to - COHORT_WEEKS[period] * WEEK_MS,
    to,
    now,
    weeks: FOLLOWED_WEEKS + 1,
  })
  const currentWeekOf = ({ startsAt }: RetentionCohort) => weekOf(now) - weekOf(startsAt)
  return {
    period,
    cohorts: cohorts.reverse(),
    currentWeekOf,
    average: averageOf(cohorts, currentWeekOf),
  }
}

/** Each end user counts once per finished week, so large cohorts weigh more. */
function averageOf(
  cohorts: readonly RetentionCohort[],
  currentWeekOf: CohortReport['currentWeekOf'],
): (number | null)[] {
  return Array.from({ length: FOLLOWED_WEEKS + 1 }, (_, week) => {
    const finished = cohorts.filter((cohort) => week < currentWeekOf(cohort))
    const users = finished.reduce((sum, cohort) => sum + cohort.users, 0)
    const active = finished.reduce((sum, cohort) => sum + (cohort.active[week] ?? 0), 0)
    return users === 0 ? null : active / users
  })
}

/** Active end users of each cohort, by weeks after the first. */
export function cohortsTable({ cohorts }: CohortReport): ReportTable<RetentionCohort> {
  return {
    caption: 'Weekly cohorts',
    columns: [
      {
        label: 'First week (UTC)',
        text: ({ startsAt }) => formatDay(startsAt),
        values: { first_week_utc: ({ startsAt }) => new Date(startsAt).toISOString().slice(0, 10) },
      },
      {
        label: 'End users',
        numeric: true,
        text: ({ users }) => formatCount(users),
        values: { end_users: ({ users }) => users },
      },
      ...Array.from({ length: FOLLOWED_WEEKS + 1 }, (_, week): ReportColumn<RetentionCohort> => ({
        label: week === 0 ? 'Week 0' : String(week),
        numeric: true,
        text: ({ retention }) => formatShare(retention[week]),
        values: {
          [`active_week_${week}`]: ({ active }) => active[week] ?? null,
          [`retention_week_${week}`]: ({ retention }) => roundShare(retention[week] ?? null),
        },
      })),
    ],
    rows: cohorts,
    rowKey: ({ week }) => week,
  }
}
