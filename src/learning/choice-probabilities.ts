import { STYLE_NAMES, type Style, type Tone } from '../openers/styles.js'
import { probabilitiesBest, type StyleDraws } from './style-draws.js'

/** The probability of each of the styles given to be drawn next, in their order: their sum is 1. */
export type ChanceOf = (tone: Tone, styles: readonly Style[], turn: Turn) => readonly number[]

/** Whether the style is drawn first in its call. */
export type Turn = 'first' | 'later'

/**
 * The least probability of a style: at the first turn it keeps the evidence about every style alive, at later ones it only
 * keeps every order possible.
 */
const MIN_CHANCE: Record<Turn, number> = { first: 0.02, later: 0.002 }

/**
 * Probability matching: each style is drawn with the posterior probability that it is the best of those given, mixed with
 * the minimum. Computed once for each tone and set of styles.
 * Source: W. R. Thompson, "On the likelihood that one unknown probability exceeds another", Biometrika 25 (1933)
 */
export function matchProbabilities(drawsOf: (tone: Tone) => StyleDraws): ChanceOf {
  const known = new Map<string, readonly number[]>()
  return (tone, styles, turn) => {
    const key = `${turn} ${tone} ${styles.map((style) => STYLE_NAMES.indexOf(style)).join('')}`
    let chances = known.get(key)
    if (!chances) {
      const free = 1 - styles.length * MIN_CHANCE[turn]
      chances = probabilitiesBest(drawsOf(tone), styles).map(
        (best) => MIN_CHANCE[turn] + free * best,
      )
      known.set(key, chances)
    }
    return chances
  }
}

export const equalChances: ChanceOf = (_tone, styles) => styles.map(() => 1 / styles.length)
