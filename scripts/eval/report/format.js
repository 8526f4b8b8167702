/** @typedef {import('../metrics.js').Metric} Metric */

const DIGITS = { share: 1, milliseconds: 0, number: 3 }
/** More would tell of rounding in the computation. */
const MAX_DIGITS = 6

/** A value with its interval, such as `0.71 [0.60, 0.80]`. */
export function formatMetric(/** @type {Metric} */ { value, interval, unit, target }) {
  if (value === null) return '–'
  const text = formatValue(value, unit, digitsBeside(target?.min ?? target?.max, value, unit))
  if (!interval) return text
  return `${text} [${formatValue(interval.low, unit)}, ${formatValue(interval.high, unit)}]`
}

/**
 * As many digits as tell a value from its target: 0.5998 misses 0.6.
 * @param {number | undefined} target
 * @param {number} value
 * @param {Metric['unit']} unit
 */
function digitsBeside(target, value, unit) {
  let digits = DIGITS[unit]
  if (target === undefined || target === value) return digits
  while (
    digits < MAX_DIGITS &&
    formatValue(value, unit, digits) === formatValue(target, unit, digits)
  ) {
    digits += 1
  }
  return digits
}

/** Such as `≥ 0.70`; empty without a target. */
export function formatTarget(/** @type {Metric | undefined} */ metric) {
  if (!metric?.target) return ''
  const { min, max } = metric.target
  return min === undefined
    ? `≤ ${formatValue(max ?? 0, metric.unit)}`
    : `≥ ${formatValue(min, metric.unit)}`
}

/**
 * @param {number} value
 * @param {Metric['unit']} unit
 * @param {number} [digits] after the point
 */
function formatValue(value, unit, digits = DIGITS[unit]) {
  switch (unit) {
    case 'share':
      return `${(value * 100).toFixed(digits)} %`
    case 'milliseconds':
      return `${value.toFixed(digits)} ms`
    case 'number':
      return value.toFixed(digits)
  }
}
