import * as echarts from 'echarts'

/** @typedef {import('./server-profile.js').Frame} Frame */

const WIDTH = 1_100
const ROW = 18
const MARGIN = { left: 12, right: 12, top: 64, bottom: 44 }
/** Narrower frames have no room for a name. */
const NARROWEST_WITH_NAME = 36
/** Share of a frame that its name may take: how wide a text becomes is known only where it is shown. */
const NAME_SHARE = 0.8
/** By who wrote the code. */
const COLOURS = {
  own: '#f0a65b',
  packages: '#8fbfe0',
  node: '#a8d5a2',
  engine: '#cfcfcf',
}

/**
 * The flame graph of a report that has a profile.
 * @param {{ benchmark: string, profile?: import('./server-profile.js').ProfileSummary }} report
 * @returns {Record<string, string>}
 */
export function plotProfile({ benchmark, profile }) {
  if (!profile) return {}
  const title = `Where the server process is busy (${benchmark})`
  return { [`${benchmark}-server`]: flameGraph({ title, tree: profile.tree }) }
}

/**
 * A call tree as SVG: callers below what they call, as wide as they took.
 * @param {{ title: string, tree: Frame }} graph
 */
function flameGraph({ title, tree }) {
  const rectangles = layOut(tree)
  const depth = Math.max(...rectangles.map((rectangle) => rectangle.depth)) + 1
  const height = MARGIN.top + depth * ROW + MARGIN.bottom
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height })
  chart.setOption({
    animation: false,
    backgroundColor: '#fff',
    title: {
      text: title,
      subtext: 'orange: ours, blue: packages, green: Node, grey: V8 and native code',
      left: 'center',
      textStyle: { fontSize: 15 },
      itemGap: 4,
    },
    grid: MARGIN,
    xAxis: {
      type: 'value',
      name: 'busy time, ms',
      nameLocation: 'middle',
      nameGap: 26,
      max: tree.totalMs,
      splitLine: { show: false },
      axisLabel: { showMaxLabel: false },
    },
    yAxis: { type: 'value', show: false, min: 0, max: depth },
    series: [
      {
        type: 'custom',
        data: rectangles.map(({ fromMs, frame, depth: row }) => [fromMs, row, frame.totalMs]),
        renderItem: (
          /** @type {{ dataIndex: number }} */ { dataIndex },
          /** @type {any} */ api,
        ) => {
          const [x, y] = api.coord([api.value(0), api.value(1)])
          const [width] = api.size([api.value(2), 0])
          return drawFrame(rectangles[dataIndex].frame, { x, y, width })
        },
      },
    ],
  })
  const svg = chart.renderToSVGString()
  chart.dispose()
  return svg
}

/** @typedef {{ frame: Frame, depth: number, fromMs: number }} Rectangle */

/**
 * @param {Frame} frame
 * @returns {Rectangle[]}
 */
function layOut(frame, depth = 0, fromMs = 0) {
  let childFromMs = fromMs
  const above = frame.children.flatMap((child) => {
    const rectangles = layOut(child, depth + 1, childFromMs)
    childFromMs += child.totalMs
    return rectangles
  })
  return [{ frame, depth, fromMs }, ...above]
}

/**
 * @param {Frame} frame
 * @param {{ x: number, y: number, width: number }} place - of its lower left corner
 */
function drawFrame(frame, { x, y, width }) {
  return {
    type: 'rect',
    shape: { x, y: y - ROW, width: Math.max(width - 0.5, 0.5), height: ROW - 1 },
    style: { fill: colourOf(frame) },
    ...(width >= NARROWEST_WITH_NAME && {
      textContent: {
        type: 'text',
        style: {
          text: frame.name,
          fontSize: 11,
          fill: '#222',
          width: (width - 6) * NAME_SHARE,
          overflow: 'truncate',
        },
      },
      textConfig: { position: 'insideLeft', distance: 3 },
    }),
  }
}

function colourOf(/** @type {Frame} */ { part }) {
  if (part.startsWith('src/')) return COLOURS.own
  if (part.startsWith('node:')) return COLOURS.node
  return part === '' || part.includes(' ') ? COLOURS.engine : COLOURS.packages
}
