import { ATTRIBUTION_DAYS } from '../../../events/attribution-window.js'
import type { CandidateTraits } from '../../../openers/opener-policy.js'
import type { Style, Tone } from '../../../openers/styles.js'
import type { ReportedCall } from './count-evidence.js'

/** An opener that was sent, and what came of it. */
export interface SentCall {
  day: number
  tone: Tone
  openers: readonly CandidateTraits[]
  place: number
  replied: boolean
}

/** What a partner reports of an opener that was sent. */
export type Reporter = (call: SentCall, random: () => number) => readonly ReportedCall[]

/** Share of sent openers of which the partner reports anything, and of replies reported to those. */
const REPORTED = 0.9
const REPLY_REPORTED = 0.95
/** Share of calls whose events do not say which opener. */
const WITHOUT_INDEX = 0.15
const MEAN_DELAY_DAYS = 1

/** Most openers and replies, some without saying which opener it was. Replies after the attribution window do not count. */
export const reportHonestly: Reporter = ({ day, tone, openers, place, replied }, random) => {
  if (random() >= REPORTED) return []
  const index = random() < WITHOUT_INDEX ? undefined : place
  const daysLater = Math.floor(random() - MEAN_DELAY_DAYS * Math.log(1 - random()))
  const hasReply = replied && daysLater <= ATTRIBUTION_DAYS && random() < REPLY_REPORTED
  return [{ day, tone, openers, sent: { index }, replied: hasReply ? { index } : undefined }]
}

/** Adds to an honest reporter a share of openers of one style that nobody sent and that are reported as answered. */
export function reportFalsely(style: Style, share: number): Reporter {
  return (call, random) => {
    const honest = reportHonestly(call, random)
    const index = call.openers.findIndex((opener) => opener.style === style)
    if (index < 0 || random() >= share) return honest
    const { day, tone, openers } = call
    return [...honest, { day, tone, openers, sent: { index }, replied: { index } }]
  }
}
