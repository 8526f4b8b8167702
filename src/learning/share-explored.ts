import { STYLE_NAMES, type Tone } from '../openers/styles.js'
import type { ChanceOf } from './choice-probabilities.js'
import type { Posterior } from './fit-posterior.js'
import type { StyleDraws } from './style-draws.js'

/**
 * Share of calls whose first style is not the one with the best estimate, in [0, 1], for calls with material for all
 * styles and with tones as frequent as in the evidence.
 */
export function shareExplored(
  { cells }: Pick<Posterior, 'cells'>,
  drawsOf: (tone: Tone) => StyleDraws,
  chanceOf: ChanceOf,
): number {
  const sent = cells.reduce((sum, cell) => sum + cell.sent, 0)
  const explored = cells.reduce((sum, cell) => {
    const { mean } = drawsOf(cell.tone).gaussian
    const best = mean.indexOf(Math.max(...mean))
    return sum + cell.sent * (1 - chanceOf(cell.tone, STYLE_NAMES, 'first')[best]!)
  }, 0)
  return sent > 0 ? explored / sent : 1
}
