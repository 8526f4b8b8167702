import { seededRandom } from '../../../core/seeded-random.js'

/** Random numbers of several distributions, reproducible by their seed. */
export interface RandomSource {
  /** In [0, 1). */
  uniform(): number
  /** Mean 0, variance 1. */
  normal(): number
  /** A whole number from 0, less than `limit`. */
  below(limit: number): number
  chance(probability: number): boolean
  /** A count with this mean and about its variance, as of a Poisson distribution. */
  around(mean: number): number
  hex(digits: number): string
  /** A UUID of version 4. */
  uuid(): string
}

export function createRandomSource(seed: number): RandomSource {
  const uniform = seededRandom(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
  const hex = (digits: number) =>
    Array.from({ length: digits }, () => Math.floor(uniform() * 16).toString(16)).join('')
  return {
    uniform,
    normal,
    hex,
    below: (limit) => Math.floor(uniform() * limit),
    chance: (probability) => uniform() < probability,
    around: (mean) => Math.max(0, Math.round(mean + Math.sqrt(mean) * normal())),
    uuid: () => toUuid(hex(32)),
  }
}

function toUuid(digits: string): string {
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `a${digits.slice(17, 20)}`,
    digits.slice(20),
  ].join('-')
}
