import type { BucketRow, EvidenceRow } from '../../src/learning/evidence.js'

export const TODAY = 20_000

/** Evidence of openers without traits, past their attribution window. */
export function evidence(row: Partial<EvidenceRow>): EvidenceRow {
  return {
    day: TODAY - 4,
    tone: 'playful',
    style: 'open_question',
    isQuestion: false,
    detail: 'none',
    lengthBand: 1,
    scoreBand: 0,
    sent: 0,
    replied: 0,
    ...row,
  }
}

export function bucket(row: Partial<BucketRow>): BucketRow {
  return { day: TODAY - 4, arm: 'learned', bucket: 0, sent: 0, replied: 0, ...row }
}
