/** @typedef {import('../metrics.js').Metric} Metric */

/** A value with its interval, such as `0.71 [0.60, 0.80]`. */
export function formatMetric(/** @type {Metric} */ { value, interval, unit }) {
  if (value === null) return '–'
  const text = formatValue(value, unit)
  if (!interval) return text
  return `${text} [${formatValue(interval.low, unit)}, ${formatValue(interval.high, unit)}]`
}

/** Such as `≥ 0.70`; empty without a target. */
export function formatTarget(/** @type {Metric | undefined} */ metric) {
  if (!metric?.target) return ''
  const { min, max } = metric.target
  return min === undefined
    ? `≤ ${formatValue(max ?? 0, metric.unit)}`
    : `≥ ${formatValue(min, metric.unit)}`
}

function formatValue(/** @type {number} */ value, /** @type {Metric['unit']} */ unit) {
  switch (unit) {
    case 'share':
      return `${(value * 100).toFixed(1)} %`
    case 'milliseconds':
      return `${value.toFixed(0)} ms`
    case 'number':
      return value.toFixed(3)
  }
}
