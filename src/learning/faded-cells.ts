import { LENGTH_BAND_COUNT, SCORE_BAND_COUNT } from '../events/evidence-bands.js'
import { OPENER_DETAILS } from '../openers/opener-traits.js'
import { TONES } from '../openers/styles.js'
import type { EvidenceRow } from './evidence.js'
import { fadingWeights, type HalfLives } from './fading.js'
import { cellFeatures, STYLE_NAMES, type SparseVector } from './opener-features.js'

/** Evidence of one kind of opener, all days together. */
export interface FadedCell {
  tone: EvidenceRow['tone']
  style: EvidenceRow['style']
  features: SparseVector
  /** Openers by weight after fading. */
  sent: number
  replied: number
  /** Openers, each counted in full. */
  unfadedSent: number
}

/** Sums evidence over days, each day by its weight after fading. */
export function fadeCells(
  rows: readonly EvidenceRow[],
  today: number,
  halfLives?: HalfLives,
): FadedCell[] {
  const sentByDay = new Map<number, number>()
  for (const { day, sent } of rows) sentByDay.set(day, (sentByDay.get(day) ?? 0) + sent)
  const weights = fadingWeights(sentByDay, today, halfLives)
  const cells = new Map<number, FadedCell>()
  for (const row of rows) {
    const key = cellKey(row)
    let cell = cells.get(key)
    if (!cell) {
      const { tone, style } = row
      cell = { tone, style, features: cellFeatures(row), sent: 0, replied: 0, unfadedSent: 0 }
      cells.set(key, cell)
    }
    const weight = weights.get(row.day)!
    cell.sent += weight * row.sent
    cell.replied += weight * row.replied
    cell.unfadedSent += row.sent
  }
  return [...cells.values()]
}

function cellKey({ tone, style, isQuestion, detail, lengthBand, scoreBand }: EvidenceRow): number {
  const parts = [
    [TONES.indexOf(tone), TONES.length],
    [STYLE_NAMES.indexOf(style), STYLE_NAMES.length],
    [Number(isQuestion), 2],
    [OPENER_DETAILS.indexOf(detail), OPENER_DETAILS.length],
    [lengthBand, LENGTH_BAND_COUNT],
    [scoreBand, SCORE_BAND_COUNT],
  ] as const
  return parts.reduce((key, [value, count]) => key * count + value, 0)
}
