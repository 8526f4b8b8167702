import { canNameEvidence } from './compose-reason.js'
import type { ConfidenceBand } from './confidence-band.js'
import type { RankedSignal } from './signals/signal.js'

/** The signal that gives an answer its category and reason: the highest ranked that has something to name. */
export function chooseSignal(ranked: readonly RankedSignal[], band: ConfidenceBand): RankedSignal {
  return ranked.find((signal) => canNameEvidence(signal, band)) ?? ranked[0]!
}
