import * as echarts from 'echarts'

/** Colours that people with colour-blindness tell apart. Source: Okabe and Ito, Color Universal Design, 2008 */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000']

/**
 * Lines over a numeric axis, as SVG.
 * @param {object} chart
 * @param {string} chart.title
 * @param {{ name: string, log?: boolean }} chart.x
 * @param {{ name: string, log?: boolean }} chart.y
 * @param {Record<string, [number, number][]>} chart.series
 */
export function linePlot({ title, x, y, series }) {
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: 760, height: 380 })
  const axis = (/** @type {{ name: string, log?: boolean }} */ { name, log }) => ({
    type: log ? 'log' : 'value',
    name,
    nameLocation: 'middle',
    nameGap: 34,
    min: log ? undefined : 0,
  })
  chart.setOption({
    animation: false,
    backgroundColor: '#fff',
    color: COLOURS,
    title: { text: title, left: 'center', textStyle: { fontSize: 15 } },
    legend: { top: 30 },
    grid: { left: 70, right: 30, top: 70, bottom: 55 },
    xAxis: axis(x),
    yAxis: axis(y),
    series: Object.entries(series).map(([name, data]) => ({
      type: 'line',
      name,
      data,
      showSymbol: data.length < 50,
    })),
  })
  const svg = chart.renderToSVGString()
  chart.dispose()
  return svg
}
