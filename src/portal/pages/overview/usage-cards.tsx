import { Chart } from '../../analytics/chart.js'
import { ChartNumbers } from '../../analytics/chart-numbers.js'
import { csvHref, CsvLink } from '../../analytics/csv-link.js'
import { formatCount, formatLatency, formatShare } from '../../analytics/format-number.js'
import { CAPABILITY_LABELS, listCapabilities } from '../../analytics/labels.js'
import { ReportTableView } from '../../analytics/report-table-view.js'
import { Card, Stat, StatRow } from '../../components/card.js'
import { LinkSwitch, withQuery } from '../../components/link-switch.js'
import { EmptyState } from '../../components/notices.js'
import type { MemberVisit } from '../../visit.js'
import type { Overview } from './load-overview.js'
import { NearestLimit } from './quota-card.js'
import { latencyChart, requestsChart } from './usage-charts.js'
import {
  capabilitiesTable,
  countErrors,
  countOutcomes,
  latencyTable,
  outcomesTable,
  requestsTable,
} from './usage-tables.js'

type UsageCardsProps = Overview & { visit: MemberVisit }

/** Requests, latency and outcomes of the period. */
export function UsageCards(props: UsageCardsProps) {
  const { visit, usage } = props
  return (
    <>
      <UsageStats {...props} />
      <RequestsCard {...props} />
      <Card
        title="By capability"
        actions={<CsvLink href={csvHref(visit, '/overview/capabilities.csv')} />}
      >
        <ReportTableView table={capabilitiesTable(usage)} />
      </Card>
      <LatencyCard {...props} />
      <Card
        title="Answers and errors"
        actions={<CsvLink href={csvHref(visit, '/overview/outcomes.csv')} />}
      >
        <ReportTableView table={outcomesTable(countOutcomes(usage))} />
        <p class="method">
          The <a href="/docs">API documentation</a> explains each error and what to do about it.
          Requests without a valid key belong to no organisation and are not counted here.
        </p>
      </Card>
    </>
  )
}

function UsageStats({ visit, usage, period, quota }: UsageCardsProps) {
  const { total, errors } = sumRequests(usage)
  const [topError] = errors > 0 ? countOutcomes(usage) : []
  const openers = usage.find((row) => row.capability === 'conversation.openers')
  return (
    <StatRow>
      <Stat label="Requests" value={formatCount(total)} note={`in ${period.phrase}`} />
      <Stat
        label="Errors"
        value={formatShare(errors / total)}
        note={topError ? `${formatCount(errors)}, mostly ${topError.outcome}` : 'none'}
      />
      <Stat
        label="Openers, median latency"
        value={formatLatency(openers?.latency.p50)}
        note={`95th percentile ${formatLatency(openers?.latency.p95)}`}
      />
      <NearestLimit quota={quota[visit.environment]} />
    </StatRow>
  )
}

function RequestsCard({ visit, usage, requests, step, period }: UsageCardsProps) {
  const { total, errors } = sumRequests(usage)
  return (
    <Card title={`Requests by ${step}`}>
      <Chart
        summary={`${formatCount(total)} requests in ${period.phrase}, ${formatCount(errors)} of them answered with an error.`}
        spec={requestsChart(requests, step)}
      />
      <ChartNumbers
        table={requestsTable(requests, step)}
        csvHref={csvHref(visit, '/overview/requests.csv')}
      />
    </Card>
  )
}

function LatencyCard({ visit, usage, latency, step, period, capability }: UsageCardsProps) {
  const overall = usage.find((row) => row.capability === capability)?.latency
  return (
    <Card
      title="Latency"
      actions={
        <LinkSwitch
          label="Capability"
          options={listCapabilities().map((option) => ({
            label: CAPABILITY_LABELS[option],
            href: withQuery(visit, 'capability', option),
            isChosen: option === capability,
          }))}
        />
      }
    >
      {overall?.p50 === undefined ? (
        <EmptyState title={`No answered calls in ${period.phrase}`}>
          <p>Latency is measured on answered calls.</p>
        </EmptyState>
      ) : (
        <>
          <Chart
            summary={`${CAPABILITY_LABELS[capability]}: half of the answers took at most ${formatLatency(overall.p50)}, 95% at most ${formatLatency(overall.p95)}. These are estimates, off by at most 5%.`}
            spec={latencyChart(latency, step)}
          />
          <ChartNumbers
            table={latencyTable(latency, step)}
            csvHref={csvHref(visit, '/overview/latency.csv')}
          />
        </>
      )}
    </Card>
  )
}

function sumRequests(usage: Overview['usage']): { total: number; errors: number } {
  return {
    total: usage.reduce((sum, { requests }) => sum + requests, 0),
    errors: usage.reduce((sum, row) => sum + countErrors(row), 0),
  }
}
