export interface ChartTheme {
  ink: string
  line: string
  surface: string
  /** The colour `--series-N`. */
  series: (color: number) => string
  font: string
}

/** The page's current colours and font. */
export function readTheme(): ChartTheme {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string) => style.getPropertyValue(name).trim()
  return {
    ink: token('--ink-muted'),
    line: token('--line'),
    surface: token('--surface'),
    series: (color) => token(`--series-${color}`),
    font: `12px ${token('--font')}`,
  }
}
