import { csvHref, CsvLink } from '../../analytics/csv-link.js'
import { formatCount, formatShare } from '../../analytics/format-number.js'
import { csvReply } from '../../analytics/report-table.js'
import { Card, Stat, StatRow } from '../../components/card.js'
import { EnvironmentSwitch, PeriodSelector } from '../../components/link-switch.js'
import { EmptyState } from '../../components/notices.js'
import { Page } from '../../layout.js'
import { page, type RouteReply } from '../../reply.js'
import type { MemberVisit } from '../../visit.js'
import { cohortsTable, loadCohorts, type CohortPeriod, type CohortReport } from './cohort-report.js'
import { CohortTable } from './cohort-table.js'

const PERIOD_LABELS: Record<CohortPeriod, string> = {
  '12w': '12 weeks',
  '26w': '26 weeks',
  '52w': '52 weeks',
}

export async function showRetention(visit: MemberVisit): Promise<RouteReply> {
  const report = await loadCohorts(visit)
  return page(
    <Page
      visit={visit}
      title="Retention"
      lead="How many end users come back in the weeks after they were first seen. Weeks start on Monday, 00:00 UTC."
      actions={
        <>
          <PeriodSelector visit={visit} periods={PERIOD_LABELS} chosen={report.period} />
          <EnvironmentSwitch visit={visit} />
        </>
      }
      scripts={['heat-map.ts']}
    >
      {report.cohorts.length === 0 ? (
        <Card>
          <EmptyState title={`No new end users in the last ${PERIOD_LABELS[report.period]}`}>
            <p>
              An end user appears here with the first event that you report for them to{' '}
              <a href="/docs">POST /v1/events</a>.
            </p>
          </EmptyState>
        </Card>
      ) : (
        <Cohorts visit={visit} report={report} />
      )}
    </Page>,
  )
}

export async function downloadCohorts(visit: MemberVisit): Promise<RouteReply> {
  return csvReply('retention-by-week.csv', cohortsTable(await loadCohorts(visit)))
}

function Cohorts({ visit, report }: { visit: MemberVisit; report: CohortReport }) {
  const { cohorts, average } = report
  const users = cohorts.reduce((sum, cohort) => sum + cohort.users, 0)
  return (
    <>
      <StatRow>
        <Stat
          label="New end users"
          value={formatCount(users)}
          note={`in the last ${PERIOD_LABELS[report.period]}`}
        />
        {[1, 4, 8].map((week) => (
          <Stat
            key={week}
            label={week === 1 ? 'Back after 1 week' : `Back after ${week} weeks`}
            value={formatShare(average[week])}
            note={
              average[week] === null ? 'not enough weeks yet' : 'of cohorts that are old enough'
            }
          />
        ))}
      </StatRow>
      <Card
        title="Weekly cohorts"
        actions={<CsvLink href={csvHref(visit, '/retention/cohorts.csv')} />}
      >
        <CohortTable {...report} />
      </Card>
      <p class="method">
        A cohort is all end users whose first event was in the same week. They are active in every
        week in which they have an event. Weeks marked * are not over and may still grow; the first
        row counts finished weeks only.
      </p>
    </>
  )
}
