import * as echarts from 'echarts'

/** Distinguishable with colour blindness. Source: Okabe and Ito, Color Universal Design, 2008. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000']
/** Longer series are drawn without a symbol for each point. */
const MAX_POINTS_WITH_SYMBOLS = 50

export type Point = [x: number, y: number]

interface Axis {
  name: string
  log?: boolean
}

export interface LinePlot {
  title: string
  x: Axis
  y: Axis
  /** Points by name of the line. */
  series: Readonly<Record<string, readonly Point[]>>
}

/** Draws lines over numeric axes as SVG. */
export function drawLinePlot({ title, x, y, series }: LinePlot): string {
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: 760, height: 380 })
  chart.setOption({
    animation: false,
    backgroundColor: '#fff',
    color: COLOURS,
    title: { text: title, left: 'center', textStyle: { fontSize: 15 } },
    legend: { top: 30 },
    grid: { left: 70, right: 30, top: 70, bottom: 55 },
    xAxis: toAxisOption(x),
    yAxis: toAxisOption(y),
    series: Object.entries(series).map(([name, data]) => ({
      type: 'line',
      name,
      data,
      showSymbol: data.length < MAX_POINTS_WITH_SYMBOLS,
    })),
  })
  const svg = chart.renderToSVGString()
  chart.dispose()
  return svg
}

function toAxisOption({ name, log }: Axis) {
  return {
    type: log ? 'log' : 'value',
    name,
    nameLocation: 'middle',
    nameGap: 34,
    min: log ? undefined : 0,
  }
}
