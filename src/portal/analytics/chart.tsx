import type { ChartSpec } from './chart-spec.js'

interface ChartProps {
  /** Describes the chart in words, also for people who cannot see it. */
  summary: string
  spec: ChartSpec
  size?: 'normal' | 'small'
}

/** A chart. The page must load `draw-charts.ts` and contain a table with the same numbers. */
export function Chart({ summary, spec, size = 'normal' }: ChartProps) {
  const hasLegend = spec.series.length > 1
  return (
    <figure class={`chart ${size}`}>
      <figcaption class={size === 'small' ? 'visually-hidden' : 'chart-summary'}>
        {summary}
      </figcaption>
      {hasLegend && (
        <ul class="chart-key">
          {spec.series.map(({ label, color }) => (
            <li key={label} class={`series-${color}`}>
              {label}
            </li>
          ))}
        </ul>
      )}
      <div class="chart-area" data-chart={JSON.stringify(spec)}>
        <p class="chart-state">Drawing the chart …</p>
        <noscript>
          <p class="chart-state">Charts need JavaScript. The table has the same numbers.</p>
        </noscript>
      </div>
    </figure>
  )
}
