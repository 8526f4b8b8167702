/** How well two people match, in words. */
export type ConfidenceBand = 'high' | 'medium' | 'low'

/** The bands that the adapter of the default language pack was trained with. */
export function confidenceBand(confidence: number): ConfidenceBand {
  if (confidence >= 0.7) return 'high'
  return confidence >= 0.4 ? 'medium' : 'low'
}
