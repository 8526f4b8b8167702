import type { EvidenceHistory } from './evidence-history.js'

/** How fast evidence loses its weight. */
export interface HalfLives {
  days: number
  openers: number
}

/** Counts by cell, in openers. */
export interface CellCounts {
  sent: Float64Array
  replied: Float64Array
}

/** Evidence with less weight is left out: it bounds how far back a fit reads. */
const MIN_WEIGHT = 1e-4

/**
 * Sums the evidence of the days before `today`. A day weighs 2^−(age / days + openers sent on later days / openers): small
 * partners forget by time, large ones by volume.
 * @param today - days since the epoch
 */
export function fadeEvidence(
  { cells, days }: EvidenceHistory,
  today: number,
  halfLives: HalfLives,
): CellCounts {
  const counts = { sent: new Float64Array(cells.length), replied: new Float64Array(cells.length) }
  let sentSince = 0
  for (let i = days.length - 1; i >= 0; i--) {
    const { day, sent, counts: ofDay } = days[i]!
    if (day >= today) continue
    const weight = 2 ** -((today - day) / halfLives.days + sentSince / halfLives.openers)
    if (weight < MIN_WEIGHT) break
    for (const count of ofDay) {
      counts.sent[count.cell]! += weight * count.sent
      counts.replied[count.cell]! += weight * count.replied
    }
    sentSince += sent
  }
  return counts
}
