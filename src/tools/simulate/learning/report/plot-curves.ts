import * as echarts from 'echarts'
import type { CurvePoint } from '../summarize.js'

/** Distinguishable with colour blindness. Source: Okabe and Ito, Color Universal Design, 2008. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9']
const INK = '#1f2937'
const BAND_OPACITY = 0.15

/** How far policies are from uniform choice to the oracle, over time. */
export interface CurvePlot {
  title: string
  /** By name of the policy. */
  curves: Readonly<Record<string, readonly CurvePoint[]>>
  /** Number of openers at which the population changes. */
  changesAt: number | undefined
}

/** Draws curves with their bands as SVG, on white, so that it can be read in a light and in a dark page. */
export function plotCurves({ title, curves, changesAt }: CurvePlot): string {
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: 760, height: 420 })
  chart.setOption({
    animation: false,
    backgroundColor: '#fff',
    color: COLOURS,
    textStyle: { color: INK },
    title: {
      text: title,
      subtext: 'lines: all seeds together; bands: the middle 80 % of seeds',
      left: 'center',
      textStyle: { fontSize: 15, color: INK },
      subtextStyle: { color: INK },
      itemGap: 4,
    },
    legend: { top: 54, itemGap: 24, data: Object.keys(curves), textStyle: { color: INK } },
    grid: { left: 70, right: 30, top: 92, bottom: 55 },
    xAxis: {
      type: 'value',
      name: 'openers sent',
      nameLocation: 'middle',
      nameGap: 34,
      axisLine: { onZero: false },
      nameTextStyle: { color: INK },
      axisLabel: { color: INK },
    },
    yAxis: {
      type: 'value',
      name: 'share of the way, % (0: uniform, 100: oracle)',
      nameLocation: 'middle',
      nameGap: 44,
      nameTextStyle: { color: INK },
      axisLabel: { color: INK },
      max: 100,
    },
    series: Object.entries(curves).flatMap(([name, points], i) =>
      drawCurve(name, points, { colour: COLOURS[i]!, changesAt: i === 0 ? changesAt : undefined }),
    ),
  })
  const svg = chart.renderToSVGString()
  chart.dispose()
  return svg
}

interface CurveStyle {
  colour: string
  changesAt: number | undefined
}

/** A line, and its band as an area stacked on an invisible line. */
function drawCurve(
  name: string,
  points: readonly CurvePoint[],
  { colour, changesAt }: CurveStyle,
): echarts.LineSeriesOption[] {
  const hidden = {
    type: 'line',
    symbol: 'none',
    lineStyle: { opacity: 0 },
    stack: name,
    stackStrategy: 'all',
  } as const
  return [
    { ...hidden, data: points.map(({ sent, low }) => [sent, 100 * low]) },
    {
      ...hidden,
      data: points.map(({ sent, low, high }) => [sent, 100 * (high - low)]),
      areaStyle: { color: colour, opacity: BAND_OPACITY },
    },
    {
      type: 'line',
      name,
      symbol: 'none',
      color: colour,
      data: points.map((point) => [point.sent, 100 * point.mean]),
      ...(changesAt !== undefined && {
        markLine: {
          symbol: 'none',
          data: [{ xAxis: changesAt }],
          label: { formatter: 'change', color: INK },
          lineStyle: { color: INK },
        },
      }),
    },
  ]
}
