import uPlot from 'uplot'
import type { ChartSeries, ChartSpec } from '../../analytics/chart-spec.js'
import { readTheme, type ChartTheme } from './chart-theme.js'
import { chartTooltip } from './chart-tooltip.js'
import { formatValue } from './format-value.js'
import { timeLabels } from './time-labels.js'

const HEIGHTS = { normal: 260, small: 170 }
/** Of each step's width. */
const BAR_SHARE = 0.82
const MAX_BAR_PX = 48

/** Draws a chart that fills `area` and follows its width until destroyed. */
export function drawChart(area: HTMLElement, spec: ChartSpec): { destroy: () => void } {
  const theme = readTheme()
  const isSmall = area.closest('.chart')?.classList.contains('small') ?? false
  const height = isSmall ? HEIGHTS.small : HEIGHTS.normal
  const layers = spec.kind === 'bars' ? barLayers(spec, theme) : lineLayers(spec, theme)
  const chart = new uPlot(
    {
      width: Math.max(200, area.clientWidth),
      height,
      tzDate: (time) => uPlot.tzDate(new Date(time * 1_000), 'Etc/UTC'),
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, y: false, points: { show: spec.kind === 'lines' } },
      scales: {
        x: { range: spec.kind === 'bars' ? withRoomForBars(spec) : undefined },
        y: { range: (_chart, _low, high) => [0, spec.top ?? niceTop(high)] },
      },
      axes: [
        {
          ...axisStyle(theme),
          grid: { show: false },
          space: 80,
          values: (_chart, times, _axis, _space, step) => timeLabels(times, step),
        },
        {
          ...axisStyle(theme),
          size: 56,
          space: isSmall ? 40 : 45,
          values: (_chart, values) => values.map((value) => formatValue(spec.unit, value, 'short')),
        },
      ],
      plugins: [chartTooltip(spec)],
      series: [{}, ...layers.series],
      bands: layers.bands,
    } as uPlot.Options,
    [spec.times, ...layers.data] as uPlot.AlignedData,
    area,
  )
  const observer = new ResizeObserver(() =>
    chart.setSize({ width: Math.max(200, area.clientWidth), height }),
  )
  observer.observe(area)
  return {
    destroy: () => {
      observer.disconnect()
      chart.destroy()
    },
  }
}

interface Layers {
  series: uPlot.Series[]
  data: (number | null)[][]
  bands: uPlot.Band[]
}

/** Stacked bars: each layer is drawn from zero up to its cumulative sum, the highest first. */
function barLayers({ series }: ChartSpec, theme: ChartTheme): Layers {
  const stacked = series.map(({ values }, layer) =>
    values.map((_, index) =>
      series.slice(0, layer + 1).reduce((sum, below) => sum + (below.values[index] ?? 0), 0),
    ),
  )
  const paths = uPlot.paths.bars?.({ size: [BAR_SHARE, MAX_BAR_PX], radius: 0.08 })
  return {
    data: stacked.reverse(),
    series: [...series].reverse().map(({ label, color }) => ({
      label,
      fill: theme.series(color),
      stroke: theme.surface,
      width: 1,
      points: { show: false },
      ...(paths && { paths }),
    })),
    bands: [],
  }
}

/** Lines, each preceded by the two bounds of its interval with a filled band between them. */
function lineLayers({ series }: ChartSpec, theme: ChartTheme): Layers {
  const layers: Layers = { series: [], data: [], bands: [] }
  for (const { label, color, values, low, high } of series) {
    const stroke = theme.series(color)
    if (low && high) {
      const first = layers.series.length + 1
      const end = { show: true, width: 0, points: { show: false } }
      layers.series.push({ ...end, label: 'high' }, { ...end, label: 'low' })
      layers.data.push(high, low)
      layers.bands.push({ series: [first, first + 1], fill: `${stroke}33` })
    }
    layers.series.push({ label, stroke, width: 2, points: { size: 5, show: needsPoints(values) } })
    layers.data.push(values)
  }
  return layers
}

/** Whether to draw points: a value between two gaps is visible only as a point. */
function needsPoints(values: ChartSeries['values']): boolean {
  return values.length <= 31 || values.some((value) => value === null)
}

function withRoomForBars({ times }: ChartSpec): uPlot.Range.MinMax {
  const [first = 0, second = first + 3_600] = times
  const half = (second - first) / 2
  return [first - half, (times.at(-1) ?? first) + half]
}

function niceTop(high: number | null): number {
  return high === null || high <= 0 ? 1 : high * 1.08
}

function axisStyle(theme: ChartTheme): uPlot.Axis {
  const line = { stroke: theme.line, width: 1 }
  return { stroke: theme.ink, font: theme.font, grid: line, ticks: { ...line, size: 4 } }
}
