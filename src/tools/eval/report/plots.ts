import * as echarts from 'echarts'
import { roundTo } from '../../../text/round-to.js'
import type { ReliabilityBin } from '../../statistics/agreement.js'

const SIZE = { width: 440, height: 340 }
const INK = '#1f2937'
const ACCENT = '#4f46e5'
const MUTED = '#9ca3af'

/** Data of a plot. */
export type Plot =
  | { kind: 'reliability'; title: string; points: ReliabilityBin[] }
  | { kind: 'scatter'; title: string; x: string; y: string; points: { x: number; y: number }[] }
  | MatrixPlot
  | { kind: 'bars'; title: string; bars: { name: string; value: number }[] }

interface MatrixPlot {
  kind: 'matrix'
  title: string
  x: string
  y: string
  names: readonly string[]
  /** By row. */
  values: number[][]
}

/** Renders a plot as SVG that loads nothing. */
export function renderPlot(plot: Plot): string {
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, ...SIZE })
  chart.setOption({
    animation: false,
    textStyle: { fontFamily: 'system-ui, sans-serif', color: INK },
    ...optionOf(plot),
  })
  const svg = chart.renderToSVGString()
  chart.dispose()
  return svg
}

function optionOf(plot: Plot): echarts.EChartsOption {
  switch (plot.kind) {
    case 'reliability':
      return withDiagonal({
        xAxis: unitAxis('predicted'),
        yAxis: unitAxis('labelled'),
        series: [
          {
            type: 'line',
            data: plot.points.map(({ predicted, observed }) => [predicted, observed]),
            symbolSize: (_: unknown, { dataIndex }: { dataIndex: number }) =>
              5 + Math.sqrt(plot.points[dataIndex]?.n ?? 0),
            symbol: 'circle',
            itemStyle: { color: ACCENT },
            lineStyle: { color: ACCENT },
          },
        ],
      })
    case 'scatter':
      return withDiagonal({
        xAxis: unitAxis(plot.x),
        yAxis: unitAxis(plot.y),
        series: [
          {
            type: 'scatter',
            symbolSize: 6,
            itemStyle: { color: ACCENT, opacity: 0.6 },
            data: plot.points.map(({ x, y }) => [x, y]),
          },
        ],
      })
    case 'matrix':
      return matrixOption(plot)
    case 'bars':
      return {
        grid: { left: 8, right: 48, top: 8, bottom: 24, containLabel: true },
        xAxis: { type: 'value' },
        yAxis: { type: 'category', inverse: true, data: plot.bars.map(({ name }) => name) },
        series: [
          {
            type: 'bar',
            data: plot.bars.map(({ value }) => value),
            itemStyle: { color: ACCENT },
            label: {
              show: true,
              position: 'right',
              formatter: ({ value }) => String(roundTo(Number(value), 3)),
            },
          },
        ],
      }
  }
}

/** An axis from 0 to 1. */
function unitAxis(name: string) {
  return { type: 'value', min: 0, max: 1, name, nameLocation: 'middle', nameGap: 28 } as const
}

/** Adds the line on which both axes agree. */
function withDiagonal({
  series,
  ...option
}: echarts.EChartsOption & { series: echarts.SeriesOption[] }): echarts.EChartsOption {
  const diagonal: echarts.SeriesOption = {
    type: 'line',
    data: [
      [0, 0],
      [1, 1],
    ],
    symbol: 'none',
    lineStyle: { color: MUTED, type: 'dashed' },
  }
  return {
    grid: { left: 48, right: 16, top: 16, bottom: 48 },
    ...option,
    series: [diagonal, ...series],
  }
}

function matrixOption({ x, y, names, values }: MatrixPlot): echarts.EChartsOption {
  const labels = names.map((name) => name.replaceAll('_', '\n'))
  return {
    grid: { left: 40, right: 16, top: 16, bottom: 32, containLabel: true },
    xAxis: {
      type: 'category',
      data: labels,
      name: x,
      nameLocation: 'middle',
      nameGap: 44,
      axisLabel: { interval: 0, fontSize: 9 },
    },
    yAxis: {
      type: 'category',
      data: labels,
      name: y,
      inverse: true,
      nameLocation: 'middle',
      nameGap: 88,
      axisLabel: { fontSize: 10 },
    },
    visualMap: {
      show: false,
      min: 0,
      max: Math.max(1, ...values.flat()),
      inRange: { color: ['#ffffff', ACCENT] },
    },
    series: [
      {
        type: 'heatmap',
        data: values.flatMap((row, j) => row.map((value, i) => [i, j, value])),
        label: { show: true },
      },
    ],
  }
}
