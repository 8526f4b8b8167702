import { weekOf, weekStart } from '../../../events/calendar.js'
import { weeklyRetention, type RetentionCohort } from '../../../events/weekly-retention.js'
import { formatCount, formatDay, formatShare, NO_NUMBER } from '../../analytics/number-format.js'
import { roundShare, type ReportColumn, type ReportTable } from '../../analytics/report-table.js'
import type { MemberVisit } from '../../visit.js'

const WEEK_MS = 7 * 24 * 60 * 60 * 1_000
/** How far back cohorts are shown, by the value in the address. */
export const COHORT_WEEKS = { '12w': 12, '26w': 26, '52w': 52 } as const
export type CohortPeriod = keyof typeof COHORT_WEEKS
/** Weeks after the first that are shown of a cohort. */
export const FOLLOWED_WEEKS = 12

export interface CohortReport {
  period: CohortPeriod
  /** The latest first. */
  cohorts: RetentionCohort[]
  /** At place k, the share of all end users who came back in the k-th week; null where no such week is over. */
  average: (number | null)[]
  /** The week that is not over, by the start of a cohort's first week: what place it has there. */
  unfinishedPlace: (cohort: RetentionCohort) => number
}

export async function loadCohorts({
  context,
  session,
  environment,
  query,
  now,
}: MemberVisit): Promise<CohortReport> {
  const asked = query.get('period') ?? ''
  const period = Object.hasOwn(COHORT_WEEKS, asked) ? (asked as CohortPeriod) : '12w'
  const to = weekStart(weekOf(now) + 1)
  const cohorts = await weeklyRetention(context.db, {
    organizationId: session.organizationId,
    environment,
    from: to - COHORT_WEEKS[period] * WEEK_MS,
    to,
    now,
    weeks: FOLLOWED_WEEKS + 1,
  })
  const unfinishedPlace = ({ startsAt }: RetentionCohort) => weekOf(now) - weekOf(startsAt)
  return {
    period,
    cohorts: cohorts.reverse(),
    unfinishedPlace,
    average: averageOf(cohorts, unfinishedPlace),
  }
}

/** Every end user counts once for each week that is over, so that large cohorts weigh more. */
function averageOf(
  cohorts: readonly RetentionCohort[],
  unfinishedPlace: CohortReport['unfinishedPlace'],
): (number | null)[] {
  return Array.from({ length: FOLLOWED_WEEKS + 1 }, (_, place) => {
    const finished = cohorts.filter((cohort) => place < unfinishedPlace(cohort))
    const users = finished.reduce((sum, cohort) => sum + cohort.users, 0)
    const active = finished.reduce((sum, cohort) => sum + (cohort.active[place] ?? 0), 0)
    return users === 0 ? null : active / users
  })
}

/** End users of each cohort who were active, by weeks after the first. */
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
      ...Array.from({ length: FOLLOWED_WEEKS + 1 }, (_, place): ReportColumn<RetentionCohort> => ({
        label: place === 0 ? 'Week 0' : String(place),
        numeric: true,
        text: ({ retention }) => shareText(retention[place]),
        values: {
          [`active_week_${place}`]: ({ active }) => active[place] ?? null,
          [`retention_week_${place}`]: ({ retention }) => roundShare(retention[place] ?? null),
        },
      })),
    ],
    rows: cohorts,
    rowKey: ({ week }) => week,
  }
}

function shareText(share: number | undefined): string {
  return share === undefined ? NO_NUMBER : formatShare(share)
}
