/** How fast evidence loses its weight. */
export interface HalfLives {
  days: number
  openers: number
}

/** Chosen by the simulation: docs/learning.md, "Forgetting". */
export const HALF_LIVES: HalfLives = { days: 90, openers: 8_000 }

/**
 * The weight of each day's evidence: 2^−(age / days + openers sent since / openers), in (0, 1]. Large partners forget by
 * volume, small ones by time.
 * @param sentByDay - openers sent, by day since the epoch; none later than `today`
 */
export function fadingWeights(
  sentByDay: ReadonlyMap<number, number>,
  today: number,
  halfLives: HalfLives = HALF_LIVES,
): Map<number, number> {
  const weights = new Map<number, number>()
  let sentSince = 0
  for (const [day, sent] of [...sentByDay].sort(([left], [right]) => right - left)) {
    const halvings = (today - day) / halfLives.days + sentSince / halfLives.openers
    weights.set(day, 2 ** -halvings)
    sentSince += sent
  }
  return weights
}
