import type { ReplyRate } from '../../../events/reply-rate.js'
import type { StyleReplyRate } from '../../../events/reply-rate-by-style.js'
import type { ToneReplyRate } from '../../../events/reply-rate-by-tone.js'
import type { WeekReplyRate } from '../../../events/weekly-reply-rate.js'
import type { Style } from '../../../openers/styles.js'
import { formatDay } from '../../analytics/format-date.js'
import { formatAmount, formatShare, NO_NUMBER } from '../../analytics/format-number.js'
import { STYLE_LABELS, TONE_LABELS } from '../../analytics/labels.js'
import { roundShare, type ReportColumn, type ReportTable } from '../../analytics/report-table.js'

/** A wider interval, more than 5 points to either side, is too wide to base a choice on. */
const MAX_INTERVAL_WIDTH = 0.1

/** Whether too few openers were sent for the rate to be reliable. */
export function hasFewData({ interval }: ReplyRate): boolean {
  return interval === null || interval.high - interval.low > MAX_INTERVAL_WIDTH
}

/** Best first by the lower end of the interval; rates with few data come last, so that luck does not win. */
function rankByLowerBound<Rate extends ReplyRate>(rates: readonly Rate[]): Rate[] {
  return [...rates].sort(
    (left, right) =>
      Number(hasFewData(left)) - Number(hasFewData(right)) ||
      (right.interval?.low ?? -1) - (left.interval?.low ?? -1),
  )
}

export function stylesTable(rates: readonly StyleReplyRate[]): ReportTable<StyleReplyRate> {
  return {
    caption: 'Reply rate by style',
    columns: [
      {
        label: 'Style',
        text: ({ style }) => STYLE_LABELS[style],
        values: { style: ({ style }) => style },
      },
      ...rateColumns<StyleReplyRate>((row) => row),
    ],
    rows: rankByLowerBound(rates),
    rowKey: ({ style }) => style,
  }
}

export function tonesTable(rates: readonly ToneReplyRate[]): ReportTable<ToneReplyRate> {
  return {
    caption: 'Reply rate by tone',
    columns: [
      {
        label: 'Tone',
        text: ({ tone }) => TONE_LABELS[tone],
        values: { tone: ({ tone }) => tone },
      },
      ...rateColumns<ToneReplyRate>((row) => row),
    ],
    rows: rankByLowerBound(rates),
    rowKey: ({ tone }) => tone,
  }
}

/** One style of one week, or all its styles together. */
interface WeekRow {
  week: string
  startsAt: number
  style: Style | 'all'
  rate: ReplyRate
}

export function weeksTable(weeks: readonly WeekReplyRate[]): ReportTable<WeekRow> {
  const rows = weeks.flatMap(({ week, startsAt, all, byStyle }): WeekRow[] => [
    { week, startsAt, style: 'all', rate: all },
    ...Object.entries(byStyle).map(([style, rate]) => ({
      week,
      startsAt,
      style: style as Style,
      rate,
    })),
  ])
  return {
    caption: 'Reply rate by week and style',
    columns: [
      {
        label: 'Week of (UTC)',
        text: ({ startsAt, week }) => `${formatDay(startsAt)} (${week})`,
        values: { week_utc: ({ startsAt }) => new Date(startsAt).toISOString().slice(0, 10) },
      },
      {
        label: 'Style',
        text: ({ style }) => (style === 'all' ? 'All styles' : STYLE_LABELS[style]),
        values: { style: ({ style }) => style },
      },
      ...rateColumns<WeekRow>(({ rate }) => rate),
    ],
    rows,
    rowKey: ({ week, style }) => `${week} ${style}`,
  }
}

function rateColumns<Row>(rateOf: (row: Row) => ReplyRate): ReportColumn<Row>[] {
  const countColumn = (event: 'sent' | 'replied'): ReportColumn<Row> => ({
    label: event === 'sent' ? 'Sent' : 'Replied',
    numeric: true,
    text: (row) => formatAmount(rateOf(row)[event]),
    // Two digits, since an event without an opener index counts in equal shares for each style of its call.
    values: { [event]: (row) => Number(rateOf(row)[event].toFixed(2)) },
  })
  return [
    countColumn('sent'),
    countColumn('replied'),
    {
      label: 'Reply rate',
      numeric: true,
      text: (row) => formatShare(rateOf(row).rate),
      values: { reply_rate: (row) => roundShare(rateOf(row).rate) },
    },
    {
      label: '95% interval',
      numeric: true,
      text: (row) => {
        const { interval } = rateOf(row)
        return interval
          ? `${formatShare(interval.low)} to ${formatShare(interval.high)}`
          : NO_NUMBER
      },
      values: {
        interval_low: (row) => roundShare(rateOf(row).interval?.low ?? null),
        interval_high: (row) => roundShare(rateOf(row).interval?.high ?? null),
      },
    },
  ]
}
