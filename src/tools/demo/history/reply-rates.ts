import type { OpenerTraits } from '../../../openers/opener-traits.js'
import type { Style, Tone } from '../../../openers/styles.js'

/** Probability that an opener of a style is answered, before the factors of its tone and traits. */
export const STYLE_RATES: Record<Style, number> = {
  open_question: 0.335,
  photo_callback: 0.308,
  shared_interest: 0.286,
  playful_observation: 0.241,
  confident_direct: 0.42,
}
const TONE_FACTORS: Record<Tone, number> = { warm: 1.09, playful: 1, witty: 0.93, direct: 0.84 }
const QUESTION_FACTOR = 1.06
/** Change of the factor from the lowest score of a released opener to the highest. */
const SCORE_EFFECT = 0.2

export interface InventedOpener extends OpenerTraits {
  style: Style
  length: number
  score: number
}

/** Lowest and highest score of an invented opener, which has the default pack's reranker. */
export const SCORES = { min: 0.6, max: 0.95 }

/** Probability that an opener is answered. */
export function replyRateOf({ style, isQuestion, score }: InventedOpener, tone: Tone): number {
  const quality = (score - SCORES.min) / (SCORES.max - SCORES.min) - 0.5
  const factor = (isQuestion ? QUESTION_FACTOR : 1) * (1 + SCORE_EFFECT * quality)
  return STYLE_RATES[style] * TONE_FACTORS[tone] * factor
}
