import type { ReplyRate } from '../../../events/reply-rate.js'
import type { StyleReplyRate } from '../../../events/reply-rate-by-style.js'
import type { ToneReplyRate } from '../../../events/reply-rate-by-tone.js'
import type { WeekReplyRate } from '../../../events/weekly-reply-rate.js'
import { wilsonInterval } from '../../../events/wilson-interval.js'
import { Chart } from '../../analytics/chart.js'
import { ChartNumbers } from '../../analytics/chart-numbers.js'
import { csvHref, CsvLink } from '../../analytics/csv-link.js'
import { formatAmount, formatShare } from '../../analytics/format-number.js'
import { axisTop, IntervalPlot } from '../../analytics/interval-plot.js'
import { STYLE_LABELS } from '../../analytics/labels.js'
import type { ReportTable } from '../../analytics/report-table.js'
import { Card, Stat, StatRow } from '../../components/card.js'
import { DataTable } from '../../components/data-table.js'
import type { MemberVisit } from '../../visit.js'
import { hasFewData, stylesTable, tonesTable, weeksTable } from './reply-tables.js'
import { weeklyCharts } from './weekly-charts.js'

interface ReplyCardsProps {
  visit: MemberVisit
  /** The period as in "openers sent in …". */
  phrase: string
  styles: StyleReplyRate[]
  tones: ToneReplyRate[]
  weeks: WeekReplyRate[]
}

/** Reply rates in all, by style, by tone and by week. */
export function ReplyCards({ visit, phrase, styles, tones, weeks }: ReplyCardsProps) {
  return (
    <>
      <ReplyStats phrase={phrase} styles={styles} />
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
        An opener counts once, on the day it was sent. It counts as replied to whenever the reply
        came. If an event does not name an opener, each style of the call gets an equal share. The
        line around each dot is the 95% Wilson interval, and rows are ordered by its lower end. “Few
        data” marks intervals wider than 10 points; those rows come last.
      </p>
      <Card title="Reply rate by week">
        <div class="small-charts">
          {weeklyCharts(weeks).map(({ title, spec, summary }) => (
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
          The band is the 95% Wilson interval of each week. The current week is not over, and the
          latest openers may still get replies.
        </p>
        <ChartNumbers table={weeksTable(weeks)} csvHref={csvHref(visit, '/openers/weeks.csv')} />
      </Card>
    </>
  )
}

function ReplyStats({ phrase, styles }: Pick<ReplyCardsProps, 'phrase' | 'styles'>) {
  const sent = styles.reduce((sum, row) => sum + row.sent, 0)
  const replied = styles.reduce((sum, row) => sum + row.replied, 0)
  const interval = wilsonInterval(replied, sent)
  const best = stylesTable(styles).rows.find((row) => !hasFewData(row))
  return (
    <StatRow>
      <Stat label="Openers sent" value={formatAmount(sent)} note={`in ${phrase}`} />
      <Stat label="Replied to" value={formatAmount(replied)} note="so far" />
      <Stat
        label="Reply rate"
        value={formatShare(replied / sent)}
        note={`95% interval ${formatShare(interval.low)} to ${formatShare(interval.high)}`}
      />
      <Stat
        label="Best style"
        value={best ? STYLE_LABELS[best.style] : 'Too early to say'}
        note={best ? `very likely at least ${formatShare(best.interval?.low)}` : 'few data yet'}
      />
    </StatRow>
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
                {row.sent > 0 && hasFewData(row) && <span class="badge warning">few data</span>}
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
