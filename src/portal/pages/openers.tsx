import type { ReplyRate } from '../../events/reply-rate.js'
import { replyRateByStyle, type StyleReplyRate } from '../../events/reply-rate-by-style.js'
import { replyRateByTone, type ToneReplyRate } from '../../events/reply-rate-by-tone.js'
import { weeklyReplyRate, type WeekReplyRate } from '../../events/weekly-reply-rate.js'
import { wilsonInterval } from '../../events/wilson-interval.js'
import { BehindChart, csvHref, CsvLink } from '../analytics/behind-chart.js'
import type { ChartSpec } from '../analytics/chart-spec.js'
import { Chart } from '../analytics/chart.js'
import { axisTop, IntervalPlot } from '../analytics/interval-plot.js'
import { listStyles, STYLE_NAMES } from '../analytics/names.js'
import { formatAmount, formatDay, formatShare } from '../analytics/number-format.js'
import { choosePeriod, OPENER_PERIODS, periodLabels } from '../analytics/period.js'
import { csvReply, type ReportTable } from '../analytics/report-table.js'
import { Card, Stat, StatRow } from '../components/card.js'
import { DataTable } from '../components/data-table.js'
import { EnvironmentSwitch, PeriodSelector } from '../components/link-switch.js'
import { EmptyState } from '../components/notices.js'
import { Page } from '../layout.js'
import { page, type RouteReply } from '../reply.js'
import type { MemberVisit } from '../visit.js'
import { isUnsure, stylesTable, tonesTable, weeksTable } from './openers/reply-tables.js'

export async function showOpeners(visit: MemberVisit): Promise<RouteReply> {
  const { period, query } = chooseReplies(visit)
  const { db } = visit.context
  const styles = await replyRateByStyle(db, query)
  const hasSent = styles.some(({ sent }) => sent > 0)
  return page(
    <Page
      visit={visit}
      title="Openers"
      lead="Which openers your users send, and which get replies. Days and weeks are those of UTC."
      actions={
        <>
          <PeriodSelector
            visit={visit}
            periods={periodLabels(OPENER_PERIODS)}
            chosen={period.name}
          />
          <EnvironmentSwitch visit={visit} />
        </>
      }
      scripts={['draw-charts.ts']}
    >
      {hasSent ? (
        <Replies
          visit={visit}
          words={period.words}
          styles={styles}
          tones={await replyRateByTone(db, query)}
          weeks={await weeklyReplyRate(db, query)}
        />
      ) : (
        <Card>
          <EmptyState title={`No openers sent in ${period.words}`}>
            <p>
              Report <code>opener_sent</code> and <code>conversation_reply</code> to{' '}
              <a href="/docs">POST /v1/events</a>, and reply rates show up here.
            </p>
          </EmptyState>
        </Card>
      )}
    </Page>,
  )
}

export async function downloadStyles(visit: MemberVisit): Promise<RouteReply> {
  const rates = await replyRateByStyle(visit.context.db, chooseReplies(visit).query)
  return csvReply('reply-rate-by-style.csv', stylesTable(rates))
}

export async function downloadTones(visit: MemberVisit): Promise<RouteReply> {
  const rates = await replyRateByTone(visit.context.db, chooseReplies(visit).query)
  return csvReply('reply-rate-by-tone.csv', tonesTable(rates))
}

export async function downloadWeeks(visit: MemberVisit): Promise<RouteReply> {
  const weeks = await weeklyReplyRate(visit.context.db, chooseReplies(visit).query)
  return csvReply('reply-rate-by-week.csv', weeksTable(weeks))
}

function chooseReplies(visit: MemberVisit) {
  const period = choosePeriod(OPENER_PERIODS, visit, '90d')
  const { environment, session } = visit
  const { organizationId } = session
  return { period, query: { organizationId, environment, from: period.from, to: period.to } }
}

interface RepliesProps {
  visit: MemberVisit
  words: string
  styles: StyleReplyRate[]
  tones: ToneReplyRate[]
  weeks: WeekReplyRate[]
}

function Replies({ visit, words, styles, tones, weeks }: RepliesProps) {
  const sent = styles.reduce((sum, row) => sum + row.sent, 0)
  const replied = styles.reduce((sum, row) => sum + row.replied, 0)
  const interval = wilsonInterval(replied, sent)
  const best = stylesTable(styles).rows.find((row) => !isUnsure(row))
  return (
    <>
      <StatRow>
        <Stat label="Openers sent" value={formatAmount(sent)} note={`in ${words}`} />
        <Stat label="Replied to" value={formatAmount(replied)} note="so far, whenever it came" />
        <Stat
          label="Reply rate"
          value={formatShare(replied / sent)}
          note={`95% interval ${formatShare(interval.low)} to ${formatShare(interval.high)}`}
        />
        <Stat
          label="Best style"
          value={best ? STYLE_NAMES[best.style] : 'Too early to say'}
          note={best ? `at least ${formatShare(best.interval?.low)}, very likely` : 'few data yet'}
        />
      </StatRow>
      <div class="columns wide">
        <RateCard
          title="By style"
          table={stylesTable(styles)}
          href={csvHref(visit, '/openers/styles.csv')}
        />
        <RateCard
          title="By tone"
          table={tonesTable(tones)}
          href={csvHref(visit, '/openers/tones.csv')}
        />
      </div>
      <p class="method">
        An opener counts on the day on which it was sent, once, and as replied to whenever the reply
        came. Where an event does not say which opener it means, each style of the call gets an
        equal share. The line around each dot is the 95% Wilson interval; rows are ordered by its
        lower end. “Few data” are intervals wider than 10 points; they come last.
      </p>
      <Card title="Reply rate by week">
        <div class="small-charts">
          {weekCharts(weeks).map(({ title, spec, summary }) => (
            <section key={title}>
              <h3>{title}</h3>
              {spec ? (
                <Chart size="small" spec={spec} summary={summary} />
              ) : (
                <p class="chart-state">{summary}</p>
              )}
            </section>
          ))}
        </div>
        <p class="method">
          The band is the 95% Wilson interval of each week. The present week is not over, and
          replies to the latest openers are still to come.
        </p>
        <BehindChart table={weeksTable(weeks)} csvHref={csvHref(visit, '/openers/weeks.csv')} />
      </Card>
    </>
  )
}

interface RateCardProps<Row extends ReplyRate> {
  title: string
  table: ReportTable<Row>
  href: string
}

function RateCard<Row extends ReplyRate>({ title, table, href }: RateCardProps<Row>) {
  const top = axisTop(table.rows)
  const [name, sent, replied, rate, interval] = table.columns
  if (!name || !sent || !replied || !rate || !interval) return null
  return (
    <Card title={title} actions={<CsvLink href={href} />}>
      <DataTable
        caption={table.caption}
        rows={table.rows}
        rowKey={table.rowKey}
        columns={[
          {
            label: name.label,
            cell: (row) => (
              <>
                {name.text(row)}{' '}
                {row.sent > 0 && isUnsure(row) && <span class="badge warning">few data</span>}
              </>
            ),
          },
          ...[sent, replied, rate].map(({ label, text }) => ({ label, numeric: true, cell: text })),
          {
            label: `${interval.label}, axis 0 to ${Math.round(top * 100)}%`,
            cell: (row) => (
              <div class="interval-cell">
                <IntervalPlot rate={row} top={top} />
                <span class="nowrap">{interval.text(row)}</span>
              </div>
            ),
          },
        ]}
      />
    </Card>
  )
}

/** A week whose interval is wider than 30 points says nothing. */
const MAX_DRAWN_WIDTH = 0.3

function width({ interval }: ReplyRate): number {
  return interval ? interval.high - interval.low : 1
}

function weekCharts(weeks: readonly WeekReplyRate[]) {
  const lines = [
    { title: 'All styles', color: 1 as const, rates: weeks.map(({ all }) => all) },
    ...listStyles().map((style, index) => ({
      title: STYLE_NAMES[style],
      color: (index + 1) as 1 | 2 | 3 | 4 | 5,
      rates: weeks.map(({ byStyle }) => byStyle[style]),
    })),
  ]
  // A week with a handful of openers must not set the scale of all others.
  const top = axisTop(
    lines.flatMap(({ rates }) => rates.filter((rate) => width(rate) < MAX_DRAWN_WIDTH)),
  )
  return lines.map(({ title, color, rates }) => {
    if (rates.every((rate) => width(rate) >= MAX_DRAWN_WIDTH)) {
      const sent = rates.reduce((sum, rate) => sum + rate.sent, 0)
      return { title, summary: `${formatAmount(sent)} sent: too few to draw by week.` }
    }
    const spec: ChartSpec = {
      kind: 'lines',
      times: weeks.map(({ startsAt }) => startsAt / 1_000),
      timeLabels: weeks.map(({ startsAt }) => `Week of ${formatDay(startsAt)}`),
      unit: 'share',
      isLastUnfinished: true,
      top,
      series: [
        {
          label: title,
          color,
          values: rates.map(({ rate }) => rate),
          low: rates.map(({ interval }) => interval?.low ?? null),
          high: rates.map(({ interval }) => interval?.high ?? null),
        },
      ],
    }
    const known = rates.flatMap(({ rate }) => (rate === null ? [] : [rate]))
    const summary = `${title}: between ${formatShare(Math.min(...known))} and ${formatShare(Math.max(...known))} a week.`
    return { title, spec, summary }
  })
}
