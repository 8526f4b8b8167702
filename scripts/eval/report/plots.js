import * as echarts from 'echarts'

const SIZE = { width: 440, height: 340 }
const INK = '#1f2937'
const ACCENT = '#4f46e5'
const MUTED = '#9ca3af'

/**
 * @typedef {{ kind: 'reliability', title: string, points: { predicted: number, observed: number, n: number }[] }
 *   | { kind: 'scatter', title: string, x: string, y: string, points: { x: number, y: number }[] }
 *   | { kind: 'matrix', title: string, x: string, y: string, names: string[], values: number[][] }
 *   | { kind: 'bars', title: string, bars: { name: string, value: number }[] }} Plot
 */

/** A plot as SVG that needs nothing from elsewhere. */
export function renderPlot(/** @type {Plot} */ plot) {
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

function optionOf(/** @type {Plot} */ plot) {
  switch (plot.kind) {
    case 'reliability':
      return withDiagonal({
        xAxis: unitAxis('predicted'),
        yAxis: unitAxis('labelled'),
        series: [
          {
            type: 'line',
            data: plot.points.map(({ predicted, observed }) => [predicted, observed]),
            symbolSize: (_, { dataIndex }) => 5 + Math.sqrt(plot.points[dataIndex]?.n ?? 0),
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
              formatter: ({ value }) => String(Math.round(value * 1_000) / 1_000),
            },
          },
        ],
      }
  }
}

function unitAxis(/** @type {string} */ name) {
  return { type: 'value', min: 0, max: 1, name, nameLocation: 'middle', nameGap: 28 }
}

/** @template {{ series: object[] }} Option */
function withDiagonal(/** @type {Option} */ option) {
  const diagonal = {
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
    series: [diagonal, ...option.series],
  }
}

function matrixOption(/** @type {Extract<Plot, { kind: 'matrix' }>} */ { x, y, names, values }) {
  const short = names.map((name) => name.replaceAll('_', '\n'))
  return {
    grid: { left: 40, right: 16, top: 16, bottom: 32, containLabel: true },
    xAxis: {
      type: 'category',
      data: short,
      name: x,
      nameLocation: 'middle',
      nameGap: 44,
      axisLabel: { interval: 0, fontSize: 9 },
    },
    yAxis: {
      type: 'category',
      data: short,
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
