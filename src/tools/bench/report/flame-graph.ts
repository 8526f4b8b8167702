import * as echarts from 'echarts'
import type { Frame, ProfileSummary } from '../service/server-profile.js'

const WIDTH = 1_100
const ROW_HEIGHT = 18
const MARGIN = { left: 12, right: 12, top: 64, bottom: 44 }
/** Narrower frames are drawn without their name. */
const MIN_WIDTH_FOR_NAME = 36
/** Fraction of a frame that its name may fill: the viewer decides how wide the text becomes. */
const NAME_FRACTION = 0.8
/** By author of the code. */
const COLOURS = {
  own: '#f0a65b',
  packages: '#8fbfe0',
  node: '#a8d5a2',
  engine: '#cfcfcf',
}

/** The flame graph of a profiled run, by file name; empty without a profile. */
export function plotProfile({
  benchmark,
  profile,
}: {
  benchmark: string
  profile: ProfileSummary | undefined
}): Record<string, string> {
  if (!profile) return {}
  const title = `Where the server process is busy (${benchmark})`
  return { [`${benchmark}-server`]: drawFlameGraph(title, profile.tree) }
}

/** Draws a call tree as SVG: callers below their callees, widths proportional to time. */
function drawFlameGraph(title: string, tree: Frame): string {
  const rectangles = layOut(tree)
  const depth = Math.max(...rectangles.map((rectangle) => rectangle.depth)) + 1
  const height = MARGIN.top + depth * ROW_HEIGHT + MARGIN.bottom
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height })
  const series: echarts.CustomSeriesOption = {
    type: 'custom',
    data: rectangles.map(({ fromMs, frame, depth: row }) => [fromMs, row, frame.totalMs]),
    renderItem: ({ dataIndex }, api) => {
      const { fromMs, depth: row, frame } = rectangles[dataIndex]!
      const [x, y] = api.coord([fromMs, row]) as [number, number]
      const [width] = api.size!([frame.totalMs, 0]) as [number, number]
      return drawFrame(frame, { x, y, width })
    },
  }
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
    series: [series],
  })
  const svg = chart.renderToSVGString()
  chart.dispose()
  return svg
}

interface Rectangle {
  frame: Frame
  depth: number
  fromMs: number
}

function layOut(frame: Frame, depth = 0, fromMs = 0): Rectangle[] {
  let childFromMs = fromMs
  const above = frame.children.flatMap((child) => {
    const rectangles = layOut(child, depth + 1, childFromMs)
    childFromMs += child.totalMs
    return rectangles
  })
  return [{ frame, depth, fromMs }, ...above]
}

/** @param corner - lower left */
function drawFrame(
  frame: Frame,
  corner: { x: number; y: number; width: number },
): echarts.CustomSeriesRenderItemReturn {
  const { x, y, width } = corner
  return {
    type: 'rect',
    shape: { x, y: y - ROW_HEIGHT, width: Math.max(width - 0.5, 0.5), height: ROW_HEIGHT - 1 },
    style: { fill: colourOf(frame) },
    ...(width >= MIN_WIDTH_FOR_NAME && {
      textContent: {
        type: 'text',
        style: {
          text: frame.name,
          fontSize: 11,
          fill: '#222',
          width: (width - 6) * NAME_FRACTION,
          overflow: 'truncate',
        },
      },
      textConfig: { position: 'insideLeft', distance: 3 },
    }),
  }
}

function colourOf({ part }: Frame): string {
  if (part.startsWith('src/')) return COLOURS.own
  if (part.startsWith('node:')) return COLOURS.node
  return part === '' || part.includes(' ') ? COLOURS.engine : COLOURS.packages
}
