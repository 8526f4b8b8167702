import type { Metric } from '../metrics.js'

const DIGITS = { share: 1, milliseconds: 0, number: 3 }
/** More digits would show rounding errors of the computation. */
const MAX_DIGITS = 6

/** Formats a value with its interval, such as `0.71 [0.60, 0.80]`. */
export function formatMetric({ value, interval, unit, target }: Metric): string {
  if (value === null) return '–'
  const bound = target?.min ?? target?.max
  const digits = bound === undefined ? DIGITS[unit] : digitsToDistinguish(value, bound, unit)
  const text = formatValue(value, unit, digits)
  if (!interval) return text
  return `${text} [${formatValue(interval.low, unit)}, ${formatValue(interval.high, unit)}]`
}

/** As many digits as show that a value differs from its target: 0.5998 misses 0.6. */
function digitsToDistinguish(value: number, bound: number, unit: Metric['unit']): number {
  let digits = DIGITS[unit]
  if (value === bound) return digits
  while (
    digits < MAX_DIGITS &&
    formatValue(value, unit, digits) === formatValue(bound, unit, digits)
  ) {
    digits += 1
  }
  return digits
}

/** Formats a target, such as `≥ 0.70`; empty without one. */
export function formatTarget({ target, unit }: Metric): string {
  if (!target) return ''
  const { min, max } = target
  return min === undefined ? `≤ ${formatValue(max ?? 0, unit)}` : `≥ ${formatValue(min, unit)}`
}

/** @param digits - after the decimal point */
function formatValue(value: number, unit: Metric['unit'], digits: number = DIGITS[unit]): string {
  switch (unit) {
    case 'share':
      return `${(value * 100).toFixed(digits)} %`
    case 'milliseconds':
      return `${value.toFixed(digits)} ms`
    case 'number':
      return value.toFixed(digits)
  }
}
