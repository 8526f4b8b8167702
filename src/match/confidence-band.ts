/** A match confidence in words. */
export type ConfidenceBand = 'high' | 'medium' | 'low'

/** Band of a confidence in [0, 1]. The adapter of the default language pack was trained with these bounds. */
export function confidenceBand(confidence: number): ConfidenceBand {
  if (confidence >= 0.7) return 'high'
  return confidence >= 0.4 ? 'medium' : 'low'
}
