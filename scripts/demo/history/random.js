import { seededRandom } from '../../statistics/random.js'

/** Random numbers of several kinds that the seed alone decides, so that a history can be made again. */
export function createRandom(/** @type {number} */ seed) {
  const uniform = seededRandom(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
  return {
    uniform,
    normal,
    below: (/** @type {number} */ limit) => Math.floor(uniform() * limit),
    chance: (/** @type {number} */ probability) => uniform() < probability,
    /** A whole number near `mean`. */
    around: (/** @type {number} */ mean) =>
      Math.max(0, Math.round(mean + Math.sqrt(mean) * normal())),
    hex: (/** @type {number} */ digits) =>
      Array.from({ length: digits }, () => Math.floor(uniform() * 16).toString(16)).join(''),
  }
}

/** @typedef {ReturnType<typeof createRandom>} Random */
