import { SHARES_PER_OPENER } from './opener-shares.js'
import { wilsonInterval, type Interval } from './wilson-interval.js'

export interface ReplyRate {
  /** Openers sent. Can be a fraction, because events may not say which opener they mean. */
  sent: number
  /** How many of these got a reply, at any time. */
  replied: number
  /** `replied / sent`, in [0, 1]; null if none was sent. */
  rate: number | null
  /** The 95 % Wilson interval of the rate; null if none was sent. */
  interval: Interval | null
}

/** @param counted - in sixtieths of an opener; undefined for none */
export function replyRate(counted: { sent: number; replied: number } | undefined): ReplyRate {
  const sent = (counted?.sent ?? 0) / SHARES_PER_OPENER
  const replied = (counted?.replied ?? 0) / SHARES_PER_OPENER
  if (sent === 0) return { sent, replied, rate: null, interval: null }
  return { sent, replied, rate: replied / sent, interval: wilsonInterval(replied, sent) }
}
