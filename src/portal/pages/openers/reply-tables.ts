import type { ReplyRate } from '../../../events/reply-rate.js'
import type { StyleReplyRate } from '../../../events/reply-rate-by-style.js'
import type { ToneReplyRate } from '../../../events/reply-rate-by-tone.js'
import type { WeekReplyRate } from '../../../events/weekly-reply-rate.js'
import type { Style } from '../../../openers/styles.js'
import { STYLE_NAMES, TONE_NAMES } from '../../analytics/names.js'
import { formatAmount, formatDay, formatShare, NO_NUMBER } from '../../analytics/number-format.js'
import { roundShare, type ReportColumn, type ReportTable } from '../../analytics/report-table.js'

/** An interval wider than this, 5 points to either side, is too wide to choose by. */
const MAX_SURE_WIDTH = 0.1

/** Whether so few openers were sent that the rate may be quite another. */
export function isUnsure({ interval }: ReplyRate): boolean {
  return interval === null || interval.high - interval.low > MAX_SURE_WIDTH
}

/**
 * The best first, by the lower end of the interval; those with few data after all others, whatever their luck was.
 */
export function rankByLowerBound<Rate extends ReplyRate>(rates: readonly Rate[]): Rate[] {
  return [...rates].sort(
    (left, right) =>
      Number(isUnsure(left)) - Number(isUnsure(right)) ||
      (right.interval?.low ?? -1) - (left.interval?.low ?? -1),
  )
}

export function stylesTable(rates: readonly StyleReplyRate[]): ReportTable<StyleReplyRate> {
  return {
    caption: 'Reply rate by style',
    columns: [
      {
        label: 'Style',
        text: ({ style }) => STYLE_NAMES[style],
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
        text: ({ tone }) => TONE_NAMES[tone],
        values: { tone: ({ tone }) => tone },
      },
      ...rateColumns<ToneReplyRate>((row) => row),
    ],
    rows: rankByLowerBound(rates),
    rowKey: ({ tone }) => tone,
  }
}

/** One week and style, or all styles of a week. */
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
        text: ({ style }) => (style === 'all' ? 'All styles' : STYLE_NAMES[style]),
        values: { style: ({ style }) => style },
      },
      ...rateColumns<WeekRow>(({ rate }) => rate),
    ],
    rows,
    rowKey: ({ week, style }) => `${week} ${style}`,
  }
}

function rateColumns<Row>(rateOf: (row: Row) => ReplyRate): ReportColumn<Row>[] {
  const count = (what: 'sent' | 'replied'): ReportColumn<Row> => ({
    label: what === 'sent' ? 'Sent' : 'Replied',
    numeric: true,
    text: (row) => formatAmount(rateOf(row)[what]),
    // Openers that events did not name count in equal shares for each style of their call.
    values: { [what]: (row) => Number(rateOf(row)[what].toFixed(2)) },
  })
  return [
    count('sent'),
    count('replied'),
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
