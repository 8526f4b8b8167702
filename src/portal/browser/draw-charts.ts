import type { ChartSpec } from '../analytics/chart-spec.js'
import { drawChart } from './charts/draw-chart.js'

/** Draws every chart of the page, and redraws them when the colour scheme changes. */

const areas = [...document.querySelectorAll<HTMLElement>('[data-chart]')]
const charts = new Map<HTMLElement, ReturnType<typeof drawChart>>()

drawAll()
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll)

function drawAll(): void {
  for (const area of areas) {
    try {
      charts.get(area)?.destroy()
      area.replaceChildren()
      charts.set(area, drawChart(area, JSON.parse(area.dataset.chart ?? '') as ChartSpec))
    } catch {
      const state = document.createElement('p')
      state.className = 'chart-state'
      state.textContent = 'The chart could not be drawn. The table has the same numbers.'
      area.replaceChildren(state)
    }
  }
}
