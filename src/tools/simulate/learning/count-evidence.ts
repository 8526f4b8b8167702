import { lengthBand, scoreBand } from '../../../events/evidence-bands.js'
import {
  shareAmongStyles,
  SHARES_PER_OPENER,
  UNNAMED_OPENER,
  type OpenerOutcome,
} from '../../../events/opener-shares.js'
import type { EvidenceRow } from '../../../learning/evidence.js'
import type { CandidateTraits } from '../../../openers/opener-policy.js'
import type { Tone } from '../../../openers/styles.js'

/** What a partner reported of a call. */
export interface ReportedCall {
  day: number
  tone: Tone
  /** In different styles. */
  openers: readonly CandidateTraits[]
  sent: { index: number | undefined } | undefined
  replied: { index: number | undefined } | undefined
}

/** Counts evidence by the rules of the service. */
export class EvidenceCounter {
  readonly rows: EvidenceRow[] = []
  readonly #known = new Map<string, EvidenceRow>()

  add(call: ReportedCall): void {
    const { day, tone, openers } = call
    for (const share of shareAmongStyles(
      openers.map(({ style }) => style),
      outcomesOf(call),
    )) {
      const opener = openers.find(({ style }) => style === share.style)!
      const row = this.#rowOf(day, tone, opener)
      row.sent += share.sent / SHARES_PER_OPENER
      row.replied += share.replied / SHARES_PER_OPENER
    }
  }

  #rowOf(day: number, tone: Tone, opener: CandidateTraits): EvidenceRow {
    const { style, isQuestion, detail, length, score } = opener
    const bands = { lengthBand: lengthBand(length), scoreBand: scoreBand(score) }
    const key = `${day} ${tone} ${style} ${isQuestion} ${detail} ${bands.lengthBand} ${bands.scoreBand}`
    const known = this.#known.get(key)
    if (known) return known
    const row = { day, tone, style, isQuestion, detail, ...bands, sent: 0, replied: 0 }
    this.#known.set(key, row)
    this.rows.push(row)
    return row
  }
}

function outcomesOf({ day, sent, replied }: ReportedCall): Map<number, OpenerOutcome> {
  const outcomes = new Map<number, OpenerOutcome>()
  if (sent) {
    const outcome = { sentDay: day, replied: false, repliedDay: null }
    outcomes.set(sent.index ?? UNNAMED_OPENER, outcome)
  }
  if (replied) {
    const index = replied.index ?? UNNAMED_OPENER
    const sentDay = outcomes.get(index)?.sentDay ?? null
    outcomes.set(index, { sentDay, replied: true, repliedDay: day })
  }
  return outcomes
}
