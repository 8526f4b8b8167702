/** Quantile by the nearest rank, always one of the values; NaN of nothing. */
export function quantile(values: readonly number[], probability: number): number {
  const sorted = [...values].sort((left, right) => left - right)
  return sorted[Math.max(0, Math.ceil(probability * sorted.length) - 1)] ?? Number.NaN
}

/** The middle value, or the mean of the two middle ones; NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right)
  const half = sorted.length / 2
  const [lower, upper] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]]
  return lower === undefined || upper === undefined ? Number.NaN : (lower + upper) / 2
}
