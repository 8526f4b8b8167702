/** Quantile by the nearest rank: a value that was measured; NaN of nothing. */
export function quantile(/** @type {readonly number[]} */ values, /** @type {number} */ share) {
  const sorted = [...values].sort((left, right) => left - right)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

/** The middle value, or the mean of the two in the middle; NaN of nothing. */
export function median(/** @type {readonly number[]} */ values) {
  const sorted = [...values].sort((left, right) => left - right)
  const half = sorted.length / 2
  const [lower, upper] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]]
  return lower === undefined || upper === undefined ? Number.NaN : (lower + upper) / 2
}
