/** One draw from the standard normal distribution. Source: Box and Muller, 1958. */
export function drawNormal(random: () => number): number {
  // 1 − u is never 0, where the logarithm ends.
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** @returns [count] */
export function drawNormals(count: number, random: () => number): Float64Array {
  return Float64Array.from({ length: count }, () => drawNormal(random))
}
