import type { Arm } from '../openers/opener-policy.js'
import type { OpenerDetail } from '../openers/opener-traits.js'
import type { Style, Tone } from '../openers/styles.js'

/** Openers of one environment that were sent on one day, counted by what the learner knows of them. */
export interface EvidenceRow {
  /** Days since the epoch. */
  day: number
  tone: Tone
  style: Style
  isQuestion: boolean
  detail: OpenerDetail
  lengthBand: number
  scoreBand: number
  /** Openers sent; fractions, where an event named no opener. */
  sent: number
  /** How many of them got a reply within the attribution window. */
  replied: number
}

/** Openers of one bucket of end users that were sent on one day. */
export interface BucketRow {
  day: number
  arm: Arm
  bucket: number
  sent: number
  replied: number
}
