import { canBeNamed } from './compose-reason.js'
import type { ConfidenceBand } from './confidence-band.js'
import type { RankedSignal } from './signals/signal.js'

/**
 * The signal that gives an answer its category and reason: the one that describes the two people best among those that
 * can name what they rest on.
 */
export function chooseSignal(ranked: readonly RankedSignal[], band: ConfidenceBand): RankedSignal {
  return ranked.find((signal) => canBeNamed(signal, band)) ?? ranked[0]!
}
