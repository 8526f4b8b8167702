/** The 97.5 % quantile of the standard normal distribution. */
export const Z_95 = 1.959963984540054

export interface Interval {
  low: number
  high: number
}

/**
 * The 95 % confidence interval of a proportion, both ends in [0, 1].
 * @param successes - from 0 to `trials`; fractions are allowed
 * @param trials - above 0
 * Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927)
 */
export function wilsonInterval(successes: number, trials: number): Interval {
  const share = successes / trials
  const z2 = Z_95 ** 2
  const center = share + z2 / (2 * trials)
  const spread = Z_95 * Math.sqrt((share * (1 - share)) / trials + z2 / (4 * trials ** 2))
  const scale = 1 + z2 / trials
  return {
    low: Math.max(0, (center - spread) / scale),
    high: Math.min(1, (center + spread) / scale),
  }
}
