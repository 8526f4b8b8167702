import { SHARES_PER_OPENER } from './opener-shares.js'
import { wilsonInterval, type Interval } from './wilson-interval.js'

/** How openers did. */
export interface ReplyRate {
  /** Openers sent; a fraction where events did not say which opener it was. */
  sent: number
  /** How many of these got a reply, whenever it came. */
  replied: number
  /** `replied / sent`, in [0, 1]; null when none was sent. */
  rate: number | null
  /** The 95 % Wilson interval of the rate; null when none was sent. */
  interval: Interval | null
}

/** @param counted - in sixtieths of an opener; undefined when there was none */
export function replyRate(counted: { sent: number; replied: number } | undefined): ReplyRate {
  const sent = (counted?.sent ?? 0) / SHARES_PER_OPENER
  const replied = (counted?.replied ?? 0) / SHARES_PER_OPENER
  if (sent === 0) return { sent, replied, rate: null, interval: null }
  return { sent, replied, rate: replied / sent, interval: wilsonInterval(replied, sent) }
}
