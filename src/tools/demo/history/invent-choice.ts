import type { Selection } from '../../../openers/opener-policy.js'
import type { OpenerDetail } from '../../../openers/opener-traits.js'
import { listPossibleStyles, type Style, type Tone } from '../../../openers/styles.js'
import type { RandomSource } from './random-source.js'
import { SCORES, STYLE_RATES, type InventedOpener } from './reply-rates.js'

/** As in the service: 500 buckets, a tenth of them in the control group, at least 2 % for each style. */
const BUCKETS = 500
const CONTROL_BUCKETS = 50
const MIN_PROBABILITY = 0.02
/** Days after which the invented learner knows the styles, and how sure it is then. */
const DAYS_OF_LEARNING = 60
const CERTAINTY = 12

export interface ChoiceQuery {
  tone: Tone
  /** Hash of the end user: one end user always has the same arm. */
  endUser: string
  /** Days since learning began. */
  day: number
  /** The rare style is sent by calls of their own. */
  without: Style
}

/** Invents how the styles of a call were chosen, by a learner that gets to know which of them are answered. */
export function inventSelection(
  random: RandomSource,
  { tone, endUser, day, without }: ChoiceQuery,
): Selection {
  const bucket = Number.parseInt(endUser.slice(0, 8), 16) % BUCKETS
  const material = { hasPhotoElements: true, hasCommonGround: true }
  const styles = listPossibleStyles(tone, material).filter((style) => style !== without)
  if (bucket < CONTROL_BUCKETS) return { arm: 'control', bucket, styles, probabilities: null }
  const weights = learnedWeights(styles, day)
  const order = drawOrder(random, weights)
  const probabilities = order.map((index) => weights[index]!)
  return { arm: 'learned', bucket, styles: order.map((index) => styles[index]!), probabilities }
}

/** Probability of each style to be the first: equal at first, then more and more by its reply rate. */
function learnedWeights(styles: readonly Style[], day: number): number[] {
  const exponent = CERTAINTY * Math.min(1, day / DAYS_OF_LEARNING)
  const powers = styles.map((style) => STYLE_RATES[style] ** exponent)
  const total = powers.reduce((sum, power) => sum + power, 0)
  const rest = 1 - MIN_PROBABILITY * styles.length
  return powers.map((power) => MIN_PROBABILITY + (rest * power) / total)
}

/** Draws indices without replacement, in proportion to their weights. */
function drawOrder(random: RandomSource, weights: readonly number[]): number[] {
  return weights
    .map((weight, index) => ({ index, arrival: -Math.log(1 - random.uniform()) / weight }))
    .sort((left, right) => left.arrival - right.arrival)
    .map(({ index }) => index)
}

/** Invents a released opener of a style. */
export function inventOpener(random: RandomSource, style: Style): InventedOpener {
  return {
    style,
    length: 40 + random.below(60),
    isQuestion: style === 'open_question' || (asksAtTimes(style) && random.chance(0.4)),
    detail: inventDetail(random, style),
    score: SCORES.min + (SCORES.max - SCORES.min) * random.uniform(),
  }
}

function asksAtTimes(style: Style): boolean {
  return style === 'photo_callback' || style === 'shared_interest'
}

function inventDetail(random: RandomSource, style: Style): OpenerDetail {
  if (style === 'photo_callback') return 'photo'
  if (style === 'shared_interest') return 'shared'
  return random.chance(0.3) ? 'photo' : 'bio'
}
