import type { RetentionCohort } from '../../../events/weekly-retention.js'
import { formatDay } from '../../analytics/format-date.js'
import { formatCount, formatShare, formatWholeShare } from '../../analytics/format-number.js'
import { FOLLOWED_WEEKS, type CohortReport } from './cohort-report.js'

const WEEKS = Array.from({ length: FOLLOWED_WEEKS + 1 }, (_, week) => week)
const SHADES = 10

/**
 * A heat map as a table with shaded cells, which needs no script and works with screen readers. `heat-map.ts` adds
 * navigation with the arrow keys, and shows the numbers of the current cell in the line above.
 */
export function CohortTable({ cohorts, average, currentWeekOf }: CohortReport) {
  return (
    <>
      <p class="heat-detail" aria-live="polite" data-heat-detail>
        Point at a cell, or move through the table with the arrow keys, to see its numbers.
      </p>
      <div class="table-frame" role="region" aria-label="Weekly cohorts" tabIndex={0}>
        <table class="heat-map" data-heat-map>
          <caption class="visually-hidden">
            Share of each cohort that was active, by weeks after the first
          </caption>
          <thead>
            <tr>
              <th scope="col">First week (UTC)</th>
              <th scope="col" class="numeric">
                End users
              </th>
              {WEEKS.map((week) => (
                <th key={week} scope="col" class="numeric">
                  <span class="visually-hidden">Week </span>
                  {week}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr class="heat-average">
              <th scope="row">All, finished weeks</th>
              <td class="numeric">
                {formatCount(cohorts.reduce((sum, { users }) => sum + users, 0))}
              </td>
              {average.map((share, week) =>
                share === null ? (
                  <td key={week} />
                ) : (
                  <td
                    key={week}
                    class={`numeric ${shadeOf(share)}`}
                    data-detail={`All cohorts: ${formatShare(share)} of the end users were active ${weeksLater(week)}.`}
                  >
                    {formatWholeShare(share)}
                  </td>
                ),
              )}
            </tr>
            {cohorts.map((cohort) => (
              <tr key={cohort.week}>
                <th scope="row">{formatDay(cohort.startsAt)}</th>
                <td class="numeric">{formatCount(cohort.users)}</td>
                {WEEKS.map((week) => (
                  <CohortCell
                    key={week}
                    cohort={cohort}
                    week={week}
                    isUnfinished={week === currentWeekOf(cohort)}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

interface CohortCellProps {
  cohort: RetentionCohort
  week: number
  isUnfinished: boolean
}

function CohortCell({ cohort, week, isUnfinished }: CohortCellProps) {
  const share = cohort.retention[week]
  if (share === undefined) return <td />
  const detail =
    `Cohort of ${formatDay(cohort.startsAt)} (${cohort.week}): ` +
    `${formatCount(cohort.active[week] ?? 0)} of ${formatCount(cohort.users)} end users ` +
    `(${formatShare(share)}) were active ${weeksLater(week)}` +
    (isUnfinished ? ', a week that is not over yet.' : '.')
  return (
    <td
      class={`numeric ${shadeOf(share)}${isUnfinished ? ' unfinished' : ''}`}
      title={detail}
      data-detail={detail}
    >
      {formatWholeShare(share)}
      {isUnfinished && (
        <>
          <span aria-hidden="true">*</span>
          <span class="visually-hidden">, so far</span>
        </>
      )}
    </td>
  )
}

/** Ten shades from 0 to half and above, since more than half of a cohort is rare after its first week. */
function shadeOf(share: number): string {
  return `heat-${share === 0 ? 0 : Math.min(SHADES, Math.max(1, Math.ceil(share * 2 * SHADES)))}`
}

function weeksLater(week: number): string {
  if (week === 0) return 'in their first week'
  return week === 1 ? '1 week later' : `${week} weeks later`
}
