/** The data of a chart, which the page passes to the script that draws it. */
export interface ChartSpec {
  kind: 'bars' | 'lines'
  /** Start of each step in seconds since the epoch. */
  times: number[]
  /** Label of each step in the tooltip. */
  timeLabels: string[]
  unit: 'count' | 'milliseconds' | 'share'
  /** The last step has not ended. */
  isLastUnfinished: boolean
  /** Top of the value axis, if several charts share it. */
  top?: number
  series: ChartSeries[]
}

export interface ChartSeries {
  label: string
  /** N of the colour `--series-N`. */
  color: 1 | 2 | 3 | 4 | 5
  /** Null where there is no value. */
  values: (number | null)[]
  /** Bounds of an interval around each value. */
  low?: (number | null)[]
  high?: (number | null)[]
}
