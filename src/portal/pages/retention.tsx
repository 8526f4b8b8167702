import { csvHref, CsvLink } from '../analytics/behind-chart.js'
import { formatCount, formatShare } from '../analytics/number-format.js'
import { csvReply } from '../analytics/report-table.js'
import { Card, Stat, StatRow } from '../components/card.js'
import { EnvironmentSwitch, PeriodSelector } from '../components/link-switch.js'
import { EmptyState } from '../components/notices.js'
import { Page } from '../layout.js'
import { page, type RouteReply } from '../reply.js'
import type { MemberVisit } from '../visit.js'
import { cohortsTable, loadCohorts, type CohortReport } from './retention/cohort-report.js'
import { CohortTable } from './retention/cohort-table.js'

const PERIODS = { '12w': '12 weeks', '26w': '26 weeks', '52w': '52 weeks' }

export async function showRetention(visit: MemberVisit): Promise<RouteReply> {
  const report = await loadCohorts(visit)
  return page(
    <Page
      visit={visit}
      title="Retention"
      lead="How many of the end users who were first seen in a week come back later. Weeks begin on Monday, 00:00 UTC."
      actions={
        <>
          <PeriodSelector visit={visit} periods={PERIODS} chosen={report.period} />
          <EnvironmentSwitch visit={visit} />
        </>
      }
      scripts={['heat-map.ts']}
    >
      {report.cohorts.length === 0 ? (
        <Card>
          <EmptyState title={`No new end users in the last ${PERIODS[report.period]}`}>
            <p>
              An end user shows up here with the first event that you report for them to{' '}
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
          note={`in the last ${PERIODS[report.period]}`}
        />
        {[1, 4, 8].map((place) => (
          <Stat
            key={place}
            label={place === 1 ? 'Back after 1 week' : `Back after ${place} weeks`}
            value={formatShare(average[place])}
            note={average[place] === null ? 'not enough weeks yet' : 'of cohorts that got so far'}
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
        A cohort are the end users whose first event was in the same week; they are active in every
        week with an event of theirs. Weeks marked * are not over and will still grow; the first
        line counts finished weeks only.
      </p>
    </>
  )
}
