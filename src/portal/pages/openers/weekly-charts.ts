import type { ReplyRate } from '../../../events/reply-rate.js'
import type { WeekReplyRate } from '../../../events/weekly-reply-rate.js'
import type { ChartSpec } from '../../analytics/chart-spec.js'
import { formatDay } from '../../analytics/format-date.js'
import { formatAmount, formatShare } from '../../analytics/format-number.js'
import { axisTop } from '../../analytics/interval-plot.js'
import { isPlottable } from '../../analytics/is-plottable.js'
import { listStyles, STYLE_LABELS } from '../../analytics/labels.js'

export interface WeeklyChart {
  title: string
  /** The chart in words, or why there is none. */
  summary: string
  /** Undefined if too few openers were sent to draw a line. */
  spec?: ChartSpec
}

interface Line {
  title: string
  color: 1 | 2 | 3 | 4 | 5
  /** By week. */
  rates: ReplyRate[]
}

/** One chart for all styles together and one for each style, on the same axis. */
export function weeklyCharts(weeks: readonly WeekReplyRate[]): WeeklyChart[] {
  const lines: Line[] = [
    { title: 'All styles', color: 1, rates: weeks.map(({ all }) => all) },
    ...listStyles().map((style, index) => ({
      title: STYLE_LABELS[style],
      color: (index + 1) as Line['color'],
      rates: weeks.map(({ byStyle }) => byStyle[style]),
    })),
  ]
  // A week with a handful of openers must not set the scale for all others.
  const top = axisTop(lines.flatMap(({ rates }) => rates.filter(isPlottable)))
  return lines.map((line) => weeklyChart(line, weeks, top))
}

function weeklyChart(
  { title, color, rates }: Line,
  weeks: readonly WeekReplyRate[],
  top: number,
): WeeklyChart {
  if (!rates.some(isPlottable)) {
    const sent = rates.reduce((sum, rate) => sum + rate.sent, 0)
    return { title, summary: `${formatAmount(sent)} sent: too few for a weekly chart.` }
  }
  const known = rates.flatMap(({ rate }) => (rate === null ? [] : [rate]))
  return {
    title,
    summary: `${title}: between ${formatShare(Math.min(...known))} and ${formatShare(Math.max(...known))} a week.`,
    spec: {
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
    },
  }
}
