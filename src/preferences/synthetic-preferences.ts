import { syntheticChoice } from '../profile/synthetic-choice.js'
import type {
  Evidence,
  InferPreferencesRequest,
  InferPreferencesResponse,
} from './preferences-contract.js'

const INTERESTS = ['hiking', 'coffee', 'board games', 'photography', 'cooking', 'live music']
const LIFESTYLES = ['early riser', 'homebody', 'outdoorsy', 'social']

/** Invented preferences for test keys. The same body always gives the same preferences. */
export function syntheticPreferences(
  body: InferPreferencesRequest,
  requestId: string,
): InferPreferencesResponse {
  const interest = syntheticChoice(INTERESTS, body, 'interest')
  const lifestyle = syntheticChoice(LIFESTYLES, body, 'lifestyle')
  const evidence: Evidence[] = [
    { kind: 'interest', value: interest, source: 'photo', photo: 0, confidence: 0.5 },
    { kind: 'lifestyle', value: lifestyle, source: 'bio', confidence: 0.5 },
  ]
  return {
    request_id: requestId,
    preferences: { interests: [interest], lifestyle: [lifestyle] },
    evidence,
  }
}
