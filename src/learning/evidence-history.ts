import { LENGTH_BAND_COUNT, SCORE_BAND_COUNT } from '../events/evidence-bands.js'
import { OPENER_DETAILS } from '../openers/opener-traits.js'
import { STYLE_NAMES, TONES, type Style, type Tone } from '../openers/styles.js'
import type { EvidenceRow } from './evidence.js'
import { cellFeatures, type SparseVector } from './opener-features.js'

/** Openers with the same tone, style and traits. */
export interface Cell {
  tone: Tone
  style: Style
  features: SparseVector
}

/** Counts of one day, of the cells that it has. */
export interface EvidenceDay {
  day: number
  sent: number
  counts: { cell: number; sent: number; replied: number }[]
}

/** Evidence by cell and day, the same for the same counts in any order. */
export interface EvidenceHistory {
  cells: readonly Cell[]
  /** Oldest first. */
  days: readonly EvidenceDay[]
}

export function arrangeEvidence(rows: readonly EvidenceRow[]): EvidenceHistory {
  const keyed = rows.map((row) => ({ key: cellKey(row), row }))
  keyed.sort((left, right) => left.row.day - right.row.day || left.key - right.key)
  const cellOfKey = new Map<number, number>()
  const cells: Cell[] = []
  const days: EvidenceDay[] = []
  for (const { key, row } of keyed) {
    let cell = cellOfKey.get(key)
    if (cell === undefined) {
      cellOfKey.set(key, (cell = cells.length))
      cells.push({ tone: row.tone, style: row.style, features: cellFeatures(row) })
    }
    if (days.at(-1)?.day !== row.day) days.push({ day: row.day, sent: 0, counts: [] })
    const day = days.at(-1)!
    day.sent += row.sent
    day.counts.push({ cell, sent: row.sent, replied: row.replied })
  }
  return { cells, days }
}

/** A number for each kind of opener. */
function cellKey({ tone, style, isQuestion, detail, lengthBand, scoreBand }: EvidenceRow): number {
  let key = TONES.indexOf(tone)
  key = key * STYLE_NAMES.length + STYLE_NAMES.indexOf(style)
  key = key * 2 + Number(isQuestion)
  key = key * OPENER_DETAILS.length + OPENER_DETAILS.indexOf(detail)
  key = key * LENGTH_BAND_COUNT + lengthBand
  return key * SCORE_BAND_COUNT + scoreBand
}
