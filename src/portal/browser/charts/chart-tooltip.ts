import type uPlot from 'uplot'
import type { ChartSeries, ChartSpec } from '../../analytics/chart-spec.js'
import { formatValue } from './format-value.js'

const GAP = 12

/** Shows the numbers at the pointer, or at the cursor that the arrow keys move. Screen readers announce them. */
export function chartTooltip(spec: ChartSpec): uPlot.Plugin {
  const box = document.createElement('div')
  box.className = 'chart-tooltip'
  box.setAttribute('role', 'status')
  box.hidden = true
  return {
    hooks: {
      ready: (chart) => {
        chart.over.append(box)
        chart.root.tabIndex = 0
        chart.root.setAttribute('role', 'group')
        chart.root.setAttribute(
          'aria-label',
          'Chart. Use the left and right arrow keys to read its numbers.',
        )
        chart.root.addEventListener('keydown', (event) => moveCursor(chart, spec, event))
        chart.root.addEventListener('blur', () => chart.setCursor({ left: -10, top: -10 }))
      },
      setCursor: (chart) => {
        const { idx, left = -1 } = chart.cursor
        box.hidden = idx === null || idx === undefined || left < 0
        if (box.hidden || idx === null || idx === undefined) return
        box.replaceChildren(...describe(spec, idx))
        const isRight = left > chart.over.clientWidth / 2
        box.style.left = isRight ? 'auto' : `${left + GAP}px`
        box.style.right = isRight ? `${chart.over.clientWidth - left + GAP}px` : 'auto'
      },
    },
  }
}

function moveCursor(chart: uPlot, { times }: ChartSpec, event: KeyboardEvent): void {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const from = chart.cursor.idx ?? (step > 0 ? -1 : times.length)
  const to = Math.min(times.length - 1, Math.max(0, from + step))
  chart.setCursor({ left: chart.valToPos(times[to] ?? 0, 'x'), top: 0 })
}

function describe(spec: ChartSpec, index: number): HTMLElement[] {
  const isUnfinished = spec.isLastUnfinished && index === spec.times.length - 1
  const heading = document.createElement('strong')
  heading.textContent = `${spec.timeLabels[index]}${isUnfinished ? ', not over yet' : ''}`
  return [heading, ...spec.series.map((series) => describeSeries(spec, series, index))]
}

function describeSeries(
  { unit }: ChartSpec,
  { label, color, values, low, high }: ChartSeries,
  index: number,
): HTMLElement {
  const line = document.createElement('span')
  line.className = `series-${color}`
  const from = low?.[index]
  const interval =
    typeof from === 'number'
      ? `, ${formatValue(unit, from)} to ${formatValue(unit, high?.[index])}`
      : ''
  line.textContent = `${label}: ${formatValue(unit, values[index])}${interval}`
  return line
}
