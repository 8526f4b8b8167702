/** Random numbers that are the same for the same seed (mulberry32), so that a history can be made again. */
export function createRandom(/** @type {number} */ seed) {
  let state = seed >>> 0
  function uniform() {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
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
