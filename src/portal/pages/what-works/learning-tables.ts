import { wilsonInterval } from '../../../events/wilson-interval.js'
import type { ReplyRate } from '../../../events/reply-rate.js'
import type {
  ArmCounts,
  Estimate,
  StyleEstimate,
  WeekByArm,
} from '../../../learning/learning-report.js'
import { ARMS, type Arm } from '../../../openers/opener-policy.js'
import { formatDay } from '../../analytics/format-date.js'
import {
  formatAmount,
  formatPoints,
  formatShare,
  formatWholeShare,
  NO_NUMBER,
} from '../../analytics/format-number.js'
import {
  ARM_LABELS,
  listStyles,
  listTones,
  STYLE_LABELS,
  TONE_LABELS,
} from '../../analytics/labels.js'
import { roundShare, type ReportColumn, type ReportTable } from '../../analytics/report-table.js'
import { judgeStyle } from './certainty.js'

/** The reply rate of a group with its Wilson interval. */
export function armRate({ sent, replied }: ArmCounts): ReplyRate {
  if (sent === 0) return { sent, replied, rate: null, interval: null }
  return { sent, replied, rate: replied / sent, interval: wilsonInterval(replied, sent) }
}

/** Reply rates of both groups by week. */
export function weeksTable(weeks: readonly WeekByArm[]): ReportTable<WeekByArm> {
  return {
    caption: 'Reply rate by week and group',
    columns: [
      {
        label: 'Week of (UTC)',
        text: ({ startsAt, week }) => `${formatDay(startsAt)} (${week})`,
        values: { week_utc: ({ startsAt }) => new Date(startsAt).toISOString().slice(0, 10) },
      },
      ...ARMS.flatMap(armColumns),
      {
        label: 'Difference, points',
        numeric: true,
        text: (row) => {
          const difference = weekDifference(row)
          return difference === null ? NO_NUMBER : formatPoints(difference)
        },
        values: { difference: (row) => roundShare(weekDifference(row)) },
      },
    ],
    rows: weeks,
    rowKey: ({ week }) => week,
  }
}

function weekDifference({ learned, control }: WeekByArm): number | null {
  const [left, right] = [armRate(learned).rate, armRate(control).rate]
  return left === null || right === null ? null : left - right
}

function armColumns(arm: Arm): ReportColumn<WeekByArm>[] {
  const label = ARM_LABELS[arm]
  return [
    {
      label: `${label}: sent`,
      numeric: true,
      text: (row) => formatAmount(row[arm].sent),
      // Two digits, since an event without an opener index counts in equal shares for each opener of its call.
      values: {
        [`${arm}_sent`]: (row) => Number(row[arm].sent.toFixed(2)),
        [`${arm}_replied`]: (row) => Number(row[arm].replied.toFixed(2)),
      },
    },
    {
      label: `${label}: reply rate`,
      numeric: true,
      text: (row) => formatShare(armRate(row[arm]).rate),
      values: { [`${arm}_reply_rate`]: (row) => roundShare(armRate(row[arm]).rate) },
    },
    {
      label: `${label}: 95% interval`,
      numeric: true,
      text: (row) => {
        const { interval } = armRate(row[arm])
        return interval ? formatInterval(interval) : NO_NUMBER
      },
      values: {
        [`${arm}_interval_low`]: (row) => roundShare(armRate(row[arm]).interval?.low ?? null),
        [`${arm}_interval_high`]: (row) => roundShare(armRate(row[arm]).interval?.high ?? null),
      },
    },
  ]
}

/** What was learnt of each style in each tone, the best of a tone first. */
export function stylesTable(styles: readonly StyleEstimate[]): ReportTable<StyleEstimate> {
  return {
    caption: 'What was learnt by tone and style',
    columns: [
      {
        label: 'Tone',
        text: ({ tone }) => TONE_LABELS[tone],
        values: { tone: ({ tone }) => tone },
      },
      {
        label: 'Style',
        text: ({ style }) => STYLE_LABELS[style],
        values: { style: ({ style }) => style },
      },
      {
        label: 'Finding',
        text: (row) => judgeStyle(row).label,
        values: {
          finding: (row) => judgeStyle(row).label,
          probability_above_average: (row) => roundShare(row.probabilityAboveAverage),
          probability_best: (row) => roundShare(row.probabilityBest),
        },
      },
      {
        label: 'Reply rate',
        text: ({ replyRate }) => `${formatShare(replyRate.value)} (${formatInterval(replyRate)})`,
        values: {
          reply_rate: ({ replyRate }) => roundShare(replyRate.value),
          interval_low: ({ replyRate }) => roundShare(replyRate.low),
          interval_high: ({ replyRate }) => roundShare(replyRate.high),
        },
      },
      {
        label: 'Written first',
        numeric: true,
        text: ({ firstShare }) => formatWholeShare(firstShare),
        values: { written_first: ({ firstShare }) => roundShare(firstShare) },
      },
      {
        label: 'Openers',
        numeric: true,
        text: ({ sent }) => formatAmount(sent),
        values: { sent: ({ sent }) => Number(sent.toFixed(2)) },
      },
    ],
    rows: listTones().flatMap((tone) => rankStyles(styles.filter((row) => row.tone === tone))),
    rowKey: ({ tone, style }) => `${tone} ${style}`,
  }
}

/** Most often written first at the front; ties in the order in which pages list styles. */
function rankStyles(styles: readonly StyleEstimate[]): StyleEstimate[] {
  const places = listStyles()
  return [...styles].sort(
    (left, right) =>
      right.replyRate.value - left.replyRate.value ||
      places.indexOf(left.style) - places.indexOf(right.style),
  )
}

function formatInterval({ low, high }: Pick<Estimate, 'low' | 'high'>): string {
  return `${formatShare(low)} to ${formatShare(high)}`
}
