import type { Estimate, StyleEstimate, TraitEstimate } from '../../../learning/learning-report.js'

/** Posterior probabilities from which a finding counts as clear or as probable. */
const CLEAR = 0.975
const PROBABLE = 0.8
/** An interval of at most a point to either side shows that a difference, if there is any, is small. */
const MAX_SMALL_WIDTH = 0.02

/** How sure a finding is, in words, with the colour of its badge. */
export interface Certainty {
  label: string
  tone: 'positive' | 'danger' | 'neutral'
}

/** Compares a style with the average of its tone. */
export function judgeStyle(style: StyleEstimate): Certainty {
  const { probabilityAboveAverage: probability, replyRate } = style
  if (probability >= CLEAR) return { label: 'clearly better', tone: 'positive' }
  if (probability >= PROBABLE) return { label: 'probably better', tone: 'neutral' }
  if (probability <= 1 - CLEAR) return { label: 'clearly worse', tone: 'danger' }
  if (probability <= 1 - PROBABLE) return { label: 'probably worse', tone: 'neutral' }
  return { label: isNarrow(replyRate) ? 'about average' : 'too early to say', tone: 'neutral' }
}

/** Compares openers that have a trait with those that do not. */
export function judgeTrait({ effect }: TraitEstimate): Certainty {
  if (effect.low > 0) return { label: 'more replies', tone: 'positive' }
  if (effect.high < 0) return { label: 'fewer replies', tone: 'danger' }
  return { label: isNarrow(effect) ? 'little difference' : 'too early to say', tone: 'neutral' }
}

function isNarrow({ low, high }: Estimate): boolean {
  return high - low <= MAX_SMALL_WIDTH
}
