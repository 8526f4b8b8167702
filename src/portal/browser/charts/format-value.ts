import type { ChartSpec } from '../../analytics/chart-spec.js'

const counts = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const compactCounts = new Intl.NumberFormat('en', { notation: 'compact' })

/** A value with its unit; `short` for axis labels. */
export function formatValue(
  unit: ChartSpec['unit'],
  value: number | null | undefined,
  length: 'short' | 'full' = 'full',
): string {
  if (value === null || value === undefined) return '–'
  switch (unit) {
    case 'count':
      return (length === 'short' ? compactCounts : counts).format(value)
    case 'milliseconds':
      return value < 1_000
        ? `${Number(value.toPrecision(2))} ms`
        : `${Number((value / 1_000).toPrecision(2))} s`
    case 'share':
      return length === 'short' ? `${Math.round(value * 100)}%` : `${(value * 100).toFixed(1)}%`
  }
}
