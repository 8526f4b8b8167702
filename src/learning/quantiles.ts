import { Z_95 } from '../events/wilson-interval.js'

/**
 * The 97.5 % quantile of Student's t distribution, within 1 % from 4 degrees of freedom.
 * Source: Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.7.5
 */
export function studentT95(degreesOfFreedom: number): number {
  const [z, n] = [Z_95, degreesOfFreedom]
  return (
    z +
    (z ** 3 + z) / (4 * n) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * n ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * n ** 3)
  )
}
