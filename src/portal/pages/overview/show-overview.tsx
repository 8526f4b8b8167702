import { periodLabels, USAGE_PERIODS } from '../../analytics/period.js'
import { csvReply } from '../../analytics/report-table.js'
import { Card } from '../../components/card.js'
import { EnvironmentSwitch, PeriodSelector } from '../../components/link-switch.js'
import { EmptyState } from '../../components/notices.js'
import { Page } from '../../layout.js'
import { page, type RouteReply } from '../../reply.js'
import type { MemberVisit } from '../../visit.js'
import { loadOverview } from './load-overview.js'
import { loadNotices, NoticesCard } from './notices-card.js'
import { QuotaCard } from './quota-card.js'
import { UsageCards } from './usage-cards.js'
import {
  capabilitiesTable,
  countOutcomes,
  latencyTable,
  outcomesTable,
  requestsTable,
} from './usage-tables.js'

export async function showOverview(visit: MemberVisit): Promise<RouteReply> {
  const overview = await loadOverview(visit)
  const notices = await loadNotices(visit)
  const total = overview.usage.reduce((sum, { requests }) => sum + requests, 0)
  return page(
    <Page
      visit={visit}
      title="Overview"
      lead="Requests to the service and how it answered them. All times are in UTC."
      actions={
        <>
          <PeriodSelector
            visit={visit}
            periods={periodLabels(USAGE_PERIODS)}
            chosen={overview.period.name}
          />
          <EnvironmentSwitch visit={visit} />
        </>
      }
      scripts={['draw-charts.ts']}
    >
      <NoticesCard notices={notices} />
      {total === 0 ? (
        <NoRequests phrase={overview.period.phrase} />
      ) : (
        <UsageCards visit={visit} {...overview} />
      )}
      <div class="columns wide">
        <QuotaCard environment="live" plan={overview.plan} quota={overview.quota.live} />
        <QuotaCard environment="test" plan={overview.plan} quota={overview.quota.test} />
      </div>
      <p class="method">
        Answered calls are charged. The projection to the end of the month adds the mean of the last
        3 to 7 full days, for the time that is left, to the calls so far. Months and days are in
        UTC.
      </p>
    </Page>,
  )
}

export async function downloadCapabilities(visit: MemberVisit): Promise<RouteReply> {
  const { usage } = await loadOverview(visit)
  return csvReply('requests-by-capability.csv', capabilitiesTable(usage))
}

export async function downloadRequests(visit: MemberVisit): Promise<RouteReply> {
  const { requests, step } = await loadOverview(visit)
  return csvReply(`requests-by-${step}.csv`, requestsTable(requests, step))
}

export async function downloadLatency(visit: MemberVisit): Promise<RouteReply> {
  const { latency, step } = await loadOverview(visit)
  return csvReply(`latency-by-${step}.csv`, latencyTable(latency, step))
}

export async function downloadOutcomes(visit: MemberVisit): Promise<RouteReply> {
  const { usage } = await loadOverview(visit)
  return csvReply('requests-by-outcome.csv', outcomesTable(countOutcomes(usage)))
}

function NoRequests({ phrase }: { phrase: string }) {
  return (
    <Card>
      <EmptyState title={`No requests in ${phrase}`}>
        <p>
          Requests from your application appear here within seconds. The{' '}
          <a href="/docs">API documentation</a> has examples.
        </p>
      </EmptyState>
    </Card>
  )
}
