import type { Database } from '../database/open-database.js'
import { STYLES, type Style, type Tone } from '../openers/styles.js'
import { dayOf } from './calendar.js'
import { findScopeId, type EventScope } from './event-scope.js'
import { SHARES_PER_OPENER } from './opener-shares.js'
import { wilsonInterval, type Interval } from './wilson-interval.js'

export interface ReplyRateQuery extends EventScope {
  /** Milliseconds since the epoch; counted are whole days in UTC, each that [from, to) touches. */
  from: number
  to: number
  /** Counts only openers of this tone. */
  tone?: Tone | undefined
}

/** How openers of one style did. */
export interface StyleReplyRate {
  style: Style
  /** Openers sent; a fraction where events did not say which opener it was. */
  sent: number
  /** How many of these got a reply, whenever it came. */
  replied: number
  /** `replied / sent`, in [0, 1]; null when none was sent. */
  rate: number | null
  /** The 95 % Wilson interval of the rate; null when none was sent. */
  interval: Interval | null
}

/**
 * The reply rate of each style, of the openers sent in some days. How events count is said at `shareAmongStyles`.
 * It reads one row for each day, tone and style: its time grows with the days asked for, not with the events.
 */
export async function replyRateByStyle(
  db: Database,
  { from, to, tone, ...scope }: ReplyRateQuery,
): Promise<StyleReplyRate[]> {
  const scopeId = await findScopeId(db, scope)
  const rows = await db
    .selectFrom('reply_rate_days')
    .select(({ fn }) => [
      'style',
      fn.sum<number>('sent').as('sent'),
      fn.sum<number>('replied').as('replied'),
    ])
    .where('scope_id', '=', scopeId)
    .where('day', '>=', dayOf(from))
    .where('day', '<=', dayOf(to - 1))
    .$if(tone !== undefined, (query) => query.where('tone', '=', tone as Tone))
    .groupBy('style')
    .execute()
  const byStyle = new Map(rows.map((row) => [row.style, row]))
  return (Object.keys(STYLES) as Style[]).map((style) => {
    const counted = byStyle.get(style)
    const sent = (counted?.sent ?? 0) / SHARES_PER_OPENER
    const replied = (counted?.replied ?? 0) / SHARES_PER_OPENER
    if (sent === 0) return { style, sent, replied, rate: null, interval: null }
    return { style, sent, replied, rate: replied / sent, interval: wilsonInterval(replied, sent) }
  })
}
