/**
 * A random rank: things sorted by it, highest first, are in random order, and those with a higher weight tend to come first.
 *
 * Source: P. Efraimidis and P. Spirakis, "Weighted random sampling with a reservoir", 2006.
 * @param weight - above 0
 * @param random - returns the next number in [0, 1)
 */
export function drawRank(weight: number, random: () => number): number {
  return random() ** (1 / weight)
}

/** Highest rank first. */
export function compareRanks(left: { rank: number }, right: { rank: number }): number {
  return right.rank - left.rank
}
