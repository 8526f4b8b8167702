import type { Estimate } from '../../learning/learning-report.js'
import { formatPoints } from './format-number.js'

/** How far the axis reaches to either side of zero, so that all differences of a table fit. */
export function axisReach(differences: readonly Estimate[]): number {
  const furthest = Math.max(0, ...differences.flatMap(({ low, high }) => [-low, high]))
  return [0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5].find((reach) => furthest <= reach) ?? 1
}

interface DifferencePlotProps {
  difference: Estimate
  /** The axis goes from `-reach` to `reach`. */
  reach: number
}

/** A difference as a dot on its interval, around a line at zero. The numbers must stand beside it. */
export function DifferencePlot({ difference: { value, low, high }, reach }: DifferencePlotProps) {
  const at = (share: number) => `${((share / reach + 1) * 50).toFixed(2)}%`
  const label = `between ${formatPoints(low)} and ${formatPoints(high)} percentage points`
  return (
    <svg class="interval-plot" role="img" aria-label={label}>
      {[-1, 1].map((end) => (
        <line key={end} class="grid" x1={at(end * reach)} x2={at(end * reach)} y1="0" y2="100%" />
      ))}
      <line class="zero" x1={at(0)} x2={at(0)} y1="0" y2="100%" />
      <line class="whisker" x1={at(low)} x2={at(high)} y1="50%" y2="50%" />
      <line class="whisker" x1={at(low)} x2={at(low)} y1="30%" y2="70%" />
      <line class="whisker" x1={at(high)} x2={at(high)} y1="30%" y2="70%" />
      <circle cx={at(value)} cy="50%" r="4" />
    </svg>
  )
}
