export interface Metric {
  name: string
  title: string
  value: number | null
  interval: { low: number; high: number } | undefined
  n: number
  unit: 'share' | 'number' | 'milliseconds'
  target: { min?: number; max?: number } | undefined
}
export function shareOf<Row>(
  name: string,
  title: string,
  options: {
    rows: readonly Row[]
    holds: (row: Row) => boolean
    seed: number
    groupOf?: (row: Row) => unknown
  },
): Metric
