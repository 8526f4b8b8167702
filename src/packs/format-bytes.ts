const UNITS = ['B', 'kB', 'MB', 'GB', 'TB']

/** Formats a size in decimal units: `98.4 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1_000
    unit += 1
  }
  const digits = unit > 0 && value < 99.95 ? 1 : 0
  return `${value.toFixed(digits)} ${UNITS[unit]}`
}
