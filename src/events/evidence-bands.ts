/** Lengths in code points at which the next band begins: short, medium, long. Close to the thirds of what small packs write. */
const LENGTH_BANDS = [50, 70] as const
/** Scores at which the next band begins. The reranker's limits for release are 0.6 and 0.7. */
const SCORE_BANDS = [0.6, 0.7, 0.8, 0.9] as const

/** Evidence of openers without a score. */
export const NO_SCORE = 0

/** Number of bands, from 0. */
export const LENGTH_BAND_COUNT = LENGTH_BANDS.length + 1
export const SCORE_BAND_COUNT = SCORE_BANDS.length + 2

/**
 * Band of an opener's length: 0 short, 1 medium, 2 long.
 * @param length - Unicode code points
 */
export function lengthBand(length: number): number {
  return LENGTH_BANDS.filter((start) => length >= start).length
}

/**
 * Band of the reranker's score: `NO_SCORE`, or from 1 for the lowest scores to 5 for the highest.
 * @param score - in (0, 1); null without a reranker
 */
export function scoreBand(score: number | null): number {
  if (score === null) return NO_SCORE
  return 1 + SCORE_BANDS.filter((start) => score >= start).length
}
