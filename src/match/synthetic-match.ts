import { syntheticChoice, syntheticFraction } from '../profile/synthetic-choice.js'
import { CATEGORIES } from './categories.js'
import type { MatchRequest, MatchResponse } from './match-contract.js'

/** An invented match for test keys. The same body always gives the same match. */
export function syntheticMatch(body: MatchRequest, requestId: string): MatchResponse {
  const category = syntheticChoice(CATEGORIES, body, 'category')
  return {
    request_id: requestId,
    confidence: Math.round(syntheticFraction(body, 'confidence') * 1_000) / 1_000,
    reason_category: category,
    reason: `This is synthetic test data of the category ${category.replace('_', ' ')}.`,
  }
}
