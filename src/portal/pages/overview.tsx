import type { ChartSpec } from '../analytics/chart-spec.js'
import { BehindChart, csvHref, CsvLink } from '../analytics/behind-chart.js'
import { Chart } from '../analytics/chart.js'
import { CAPABILITY_NAMES, listCapabilities } from '../analytics/names.js'
import { formatCount, formatLatency, formatShare } from '../analytics/number-format.js'
import { periodLabels, USAGE_PERIODS } from '../analytics/period.js'
import { csvReply } from '../analytics/report-table.js'
import { ReportTableView } from '../analytics/report-table-view.js'
import { stepLabel } from '../analytics/step-label.js'
import { Card, Stat, StatRow } from '../components/card.js'
import {
  EnvironmentSwitch,
  LinkSwitch,
  PeriodSelector,
  withQuery,
} from '../components/link-switch.js'
import { EmptyState } from '../components/notices.js'
import { Page } from '../layout.js'
import { page, type RouteReply } from '../reply.js'
import type { MemberVisit } from '../visit.js'
import { loadOverview, type Overview } from './overview/load-overview.js'
import { NearestLimit, QuotaCard } from './overview/quota-card.js'
import {
  capabilitiesTable,
  errorsOf,
  latencyTable,
  outcomesOf,
  outcomesTable,
  requestsTable,
} from './overview/usage-tables.js'

export async function showOverview(visit: MemberVisit): Promise<RouteReply> {
  const overview = await loadOverview(visit)
  const total = overview.usage.reduce((sum, { requests }) => sum + requests, 0)
  return page(
    <Page
      visit={visit}
      title="Overview"
      lead="What was asked of the service and how it answered. All times are in UTC."
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
      {total === 0 ? <NoRequests {...overview} /> : <Usage visit={visit} {...overview} />}
      <div class="columns wide">
        <QuotaCard environment="live" plan={overview.plan} quota={overview.quota.live} />
        <QuotaCard environment="test" plan={overview.plan} quota={overview.quota.test} />
      </div>
      <p class="method">
        Charged are calls that were answered. The end of the month is projected as the calls so far
        and, for the time that is left, the mean of the last 3 to 7 full days. Months and days are
        those of UTC.
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
  return csvReply('requests-by-outcome.csv', outcomesTable(outcomesOf(usage)))
}

function NoRequests({ period }: Overview) {
  return (
    <Card>
      <EmptyState title={`No requests in ${period.words}`}>
        <p>
          What your application calls shows up here within seconds. <a href="/docs">The calls</a>{' '}
          are described with examples.
        </p>
      </EmptyState>
    </Card>
  )
}

function Usage({ visit, ...overview }: Overview & { visit: MemberVisit }) {
  const { usage, requests, latency, step, period, capability } = overview
  const total = usage.reduce((sum, row) => sum + row.requests, 0)
  const errors = usage.reduce((sum, row) => sum + errorsOf(row), 0)
  const outcomes = outcomesOf(usage)
  const [topError] = errors > 0 ? outcomes : []
  const openers = usage.find((row) => row.capability === 'conversation.openers')
  const chosen = usage.find((row) => row.capability === capability)
  return (
    <>
      <StatRow>
        <Stat label="Requests" value={formatCount(total)} note={`in ${period.words}`} />
        <Stat
          label="Errors"
          value={formatShare(errors / total)}
          note={topError ? `${formatCount(errors)}, most: ${topError.outcome}` : 'none'}
        />
        <Stat
          label="Openers, median latency"
          value={formatLatency(openers?.latency.p50)}
          note={`95th percentile ${formatLatency(openers?.latency.p95)}`}
        />
        <NearestLimit quota={overview.quota[visit.environment]} />
      </StatRow>
      <Card title={`Requests by ${step}`}>
        <Chart
          summary={`${formatCount(total)} requests in ${period.words}, ${formatCount(errors)} of them answered with an error.`}
          spec={requestsChart(overview)}
        />
        <BehindChart
          table={requestsTable(requests, step)}
          csvHref={csvHref(visit, '/overview/requests.csv')}
        />
      </Card>
      <Card
        title="By capability"
        actions={<CsvLink href={csvHref(visit, '/overview/capabilities.csv')} />}
      >
        <ReportTableView table={capabilitiesTable(usage)} />
      </Card>
      <Card
        title="Latency"
        actions={
          <LinkSwitch
            label="Capability"
            options={listCapabilities().map((option) => ({
              label: CAPABILITY_NAMES[option],
              href: withQuery(visit, 'capability', option),
              isChosen: option === capability,
            }))}
          />
        }
      >
        {chosen?.latency.p50 === undefined ? (
          <EmptyState title={`No answered calls in ${period.words}`}>
            <p>Latency is that of calls that were answered.</p>
          </EmptyState>
        ) : (
          <>
            <Chart
              summary={`${CAPABILITY_NAMES[capability]}: half of the answers took at most ${formatLatency(chosen.latency.p50)}, 95 of 100 at most ${formatLatency(chosen.latency.p95)}. Estimates, at most 5% off.`}
              spec={latencyChart(overview)}
            />
            <BehindChart
              table={latencyTable(latency, step)}
              csvHref={csvHref(visit, '/overview/latency.csv')}
            />
          </>
        )}
      </Card>
      <Card
        title="Answers and errors"
        actions={<CsvLink href={csvHref(visit, '/overview/outcomes.csv')} />}
      >
        <ReportTableView table={outcomesTable(outcomes)} />
        <p class="method">
          <a href="/docs">What each error means</a> and what to do about it is part of the calls'
          description. Requests without a valid key belong to nobody and are not counted here.
        </p>
      </Card>
    </>
  )
}

function requestsChart({ requests, step }: Overview): ChartSpec {
  return {
    kind: 'bars',
    ...timesOf(requests, step),
    unit: 'count',
    series: listCapabilities().map((capability, index) => ({
      label: CAPABILITY_NAMES[capability],
      color: (index + 1) as 1 | 2 | 3 | 4,
      values: requests.map((row) => row.requests[capability]),
    })),
  }
}

function latencyChart({ latency, step }: Overview): ChartSpec {
  const labels = { p50: 'p50', p95: 'p95', p99: 'p99' } as const
  return {
    kind: 'lines',
    ...timesOf(latency, step),
    unit: 'milliseconds',
    series: (['p50', 'p95', 'p99'] as const).map((quantile, index) => ({
      label: labels[quantile],
      color: (index + 1) as 1 | 2 | 3,
      values: latency.map((row) => row[quantile] ?? null),
    })),
  }
}

function timesOf(steps: readonly { startsAt: number }[], step: Overview['step']) {
  return {
    times: steps.map(({ startsAt }) => startsAt / 1_000),
    timeLabels: steps.map(({ startsAt }) => stepLabel(step, startsAt)),
    isLastUnfinished: true,
  }
}
