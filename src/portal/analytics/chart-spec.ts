/** What a chart shows, as the page hands it to the script that draws it. */
export interface ChartSpec {
  kind: 'bars' | 'lines'
  /** Start of each step in seconds since the epoch. */
  times: number[]
  /** What the text above the pointer says of each step. */
  timeLabels: string[]
  unit: 'count' | 'milliseconds' | 'share'
  /** The last step has not ended. */
  isLastUnfinished: boolean
  /** Top of the axis where several charts share it. */
  top?: number
  series: ChartSeries[]
}

export interface ChartSeries {
  label: string
  /** Number of the colour `--series-N`. */
  color: 1 | 2 | 3 | 4 | 5
  /** Null where nothing is known. */
  values: (number | null)[]
  /** Ends of an interval around each value. */
  low?: (number | null)[]
  high?: (number | null)[]
}
