import type { RankedSignal } from './calibration.js'

/**
 * The signal that gives an answer its category and reason: the one that describes the two people best among those that
 * can name what they rest on.
 */
export function chooseSignal(ranked: readonly RankedSignal[]): RankedSignal {
  const named = ranked.find(({ evidence, related }) => evidence.length > 0 || related !== undefined)
  return named ?? ranked[0]!
}
