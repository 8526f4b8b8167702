import { ATTRIBUTION_DAYS } from '../../../events/attribution-window.js'
import type { WeekByArm } from '../../../learning/learning-report.js'
import { ARMS, type Arm } from '../../../openers/opener-policy.js'
import type { ChartSeries, ChartSpec } from '../../analytics/chart-spec.js'
import { formatDay } from '../../analytics/format-date.js'
import { formatShare } from '../../analytics/format-number.js'
import { axisTop } from '../../analytics/interval-plot.js'
import { isPlottable } from '../../analytics/is-plottable.js'
import { ARM_LABELS } from '../../analytics/labels.js'
import { armRate } from './learning-tables.js'

const COLORS: Record<Arm, ChartSeries['color']> = { learned: 1, control: 2 }
/** A line needs two ends. */
const MIN_WEEKS = 2
const DAY_MS = 24 * 60 * 60 * 1_000

export interface WeeksChart {
  /** The chart in words, or why there is none. */
  summary: string
  /** Undefined if too few openers were sent to draw a line. */
  spec?: ChartSpec
}

/** The reply rates of both groups on one axis. */
export function weeksChart(weeks: readonly WeekByArm[], now: number): WeeksChart {
  const plottable = ARMS.flatMap((arm) => ratesOf(weeks, arm).filter(isPlottable))
  if (plottable.length === 0) return { summary: 'Too few openers count for a weekly chart.' }
  if (weeks.length < MIN_WEEKS) return { summary: 'The chart begins with the second week.' }
  return {
    summary: ARMS.map((arm) => describeArm(weeks, arm)).join(' '),
    spec: {
      kind: 'lines',
      times: weeks.map(({ startsAt }) => startsAt / 1_000),
      timeLabels: weeks.map(({ startsAt }) => `Week of ${formatDay(startsAt)}`),
      unit: 'share',
      isLastUnfinished: isUnfinished(weeks.at(-1), now),
      // A week with a handful of openers must not set the scale for all others.
      top: axisTop(plottable),
      series: ARMS.map((arm) => seriesOf(weeks, arm)),
    },
  }
}

function ratesOf(weeks: readonly WeekByArm[], arm: Arm) {
  return weeks.map((week) => armRate(week[arm]))
}

function describeArm(weeks: readonly WeekByArm[], arm: Arm): string {
  const rates = ratesOf(weeks, arm).flatMap(({ rate }) => (rate === null ? [] : [rate]))
  if (rates.length === 0) return `${ARM_LABELS[arm]} group: no openers yet.`
  const [low, high] = [formatShare(Math.min(...rates)), formatShare(Math.max(...rates))]
  return low === high
    ? `${ARM_LABELS[arm]} group: ${low} a week.`
    : `${ARM_LABELS[arm]} group: between ${low} and ${high} a week.`
}

function seriesOf(weeks: readonly WeekByArm[], arm: Arm): ChartSeries {
  const rates = ratesOf(weeks, arm)
  return {
    label: `${ARM_LABELS[arm]} group`,
    color: COLORS[arm],
    values: rates.map(({ rate }) => rate),
    low: rates.map(({ interval }) => interval?.low ?? null),
    high: rates.map(({ interval }) => interval?.high ?? null),
  }
}

/** Whether days of the week are missing: they have not come, or their openers may still get replies. */
function isUnfinished(week: WeekByArm | undefined, now: number): boolean {
  return week !== undefined && now < week.startsAt + (7 + ATTRIBUTION_DAYS) * DAY_MS
}
