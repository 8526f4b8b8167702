import type { ReplyRate } from '../../events/reply-rate.js'
import { formatShare } from './format-number.js'

/** The top of the axis, from 0, on which all rates of a table are drawn. */
export function axisTop(rates: readonly Pick<ReplyRate, 'interval'>[]): number {
  const highest = Math.max(0, ...rates.map(({ interval }) => interval?.high ?? 0))
  return [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8].find((top) => highest <= top) ?? 1
}

interface IntervalPlotProps {
  rate: Pick<ReplyRate, 'rate' | 'interval'>
  top: number
}

/** A rate as a dot on its confidence interval. The numbers must stand beside it. */
export function IntervalPlot({ rate: { rate, interval }, top }: IntervalPlotProps) {
  if (rate === null || interval === null) return null
  const at = (share: number) => `${((share / top) * 100).toFixed(2)}%`
  return (
    <svg class="interval-plot" role="img" aria-label={describeInterval(interval)}>
      {[0, 0.5, 1].map((share) => (
        <line key={share} class="grid" x1={at(share * top)} x2={at(share * top)} y1="0" y2="100%" />
      ))}
      <line class="whisker" x1={at(interval.low)} x2={at(interval.high)} y1="50%" y2="50%" />
      <line class="whisker" x1={at(interval.low)} x2={at(interval.low)} y1="30%" y2="70%" />
      <line class="whisker" x1={at(interval.high)} x2={at(interval.high)} y1="30%" y2="70%" />
      <circle cx={at(rate)} cy="50%" r="4" />
    </svg>
  )
}

function describeInterval({ low, high }: { low: number; high: number }): string {
  return `between ${formatShare(low)} and ${formatShare(high)}`
}
