import type { Database } from '../database/open-database.js'
import type { Style, Tone } from '../openers/styles.js'
import { dayOf } from './calendar.js'
import { findScopeId, type EventScope } from './event-scope.js'

export interface ReplyRateQuery extends EventScope {
  /** Milliseconds since the epoch. Every UTC day that overlaps [from, to) is counted in full. */
  from: number
  to: number
  /** Counts only openers of this tone. */
  tone?: Tone | undefined
  /** Counts only openers of this style. */
  style?: Style | undefined
}

/**
 * Selects the sums of `sent` and `replied`, for the caller to group. It reads one row for each day, tone and style, so its
 * cost grows with the number of days, not with the number of events.
 */
export async function selectReplyDays(
  db: Database,
  { from, to, tone, style, ...scope }: ReplyRateQuery,
) {
  const scopeId = await findScopeId(db, scope)
  return {
    query: db
      .selectFrom('reply_rate_days')
      .select(({ fn }) => [
        fn.sum<number>('sent').as('sent'),
        fn.sum<number>('replied').as('replied'),
      ])
      .where('scope_id', '=', scopeId)
      .where('day', '>=', dayOf(from))
      .where('day', '<=', dayOf(to - 1))
      .$if(tone !== undefined, (query) => query.where('tone', '=', tone as Tone))
      .$if(style !== undefined, (query) => query.where('style', '=', style as Style)),
  }
}
