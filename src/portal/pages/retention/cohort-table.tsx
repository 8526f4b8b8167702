import type { RetentionCohort } from '../../../events/weekly-retention.js'
import {
  formatCount,
  formatDay,
  formatShare,
  formatWholeShare,
} from '../../analytics/number-format.js'
import { FOLLOWED_WEEKS, type CohortReport } from './cohort-report.js'

const PLACES = Array.from({ length: FOLLOWED_WEEKS + 1 }, (_, place) => place)
const SHADES = 10

/**
 * The heat map is a table whose cells have a shade, so that it needs no script and reads well aloud. With `heat-map.ts`
 * the arrow keys walk over it, and the line above tells the numbers of the cell.
 */
export function CohortTable({ cohorts, average, unfinishedPlace }: CohortReport) {
  return (
    <>
      <p class="heat-detail" aria-live="polite" data-heat-detail>
        Point at a cell, or walk over the table with the arrow keys, to see its numbers.
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
              {PLACES.map((place) => (
                <th key={place} scope="col" class="numeric">
                  <span class="visually-hidden">Week </span>
                  {place}
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
              {average.map((share, place) =>
                share === null ? (
                  <td key={place} />
                ) : (
                  <td
                    key={place}
                    class={`numeric ${shadeOf(share)}`}
                    data-detail={`All cohorts: ${formatShare(share)} of the end users were active ${weeksLater(place)}.`}
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
                {PLACES.map((place) => (
                  <CohortCell
                    key={place}
                    cohort={cohort}
                    place={place}
                    isUnfinished={place === unfinishedPlace(cohort)}
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
  place: number
  isUnfinished: boolean
}

function CohortCell({ cohort, place, isUnfinished }: CohortCellProps) {
  const share = cohort.retention[place]
  if (share === undefined) return <td />
  const detail =
    `Cohort of ${formatDay(cohort.startsAt)} (${cohort.week}): ` +
    `${formatCount(cohort.active[place] ?? 0)} of ${formatCount(cohort.users)} end users ` +
    `(${formatShare(share)}) were active ${weeksLater(place)}` +
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

/** Ten shades from none to half and more: above half of a cohort is rare after its first week. */
function shadeOf(share: number): string {
  return `heat-${share === 0 ? 0 : Math.min(SHADES, Math.max(1, Math.ceil(share * 2 * SHADES)))}`
}

function weeksLater(place: number): string {
  if (place === 0) return 'in their first week'
  return place === 1 ? '1 week later' : `${place} weeks later`
}
