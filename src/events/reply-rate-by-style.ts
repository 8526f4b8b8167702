import type { Database } from '../database/open-database.js'
import { STYLES, type Style } from '../openers/styles.js'
import { replyRate, type ReplyRate } from './reply-rate.js'
import { selectReplyDays, type ReplyRateQuery } from './select-reply-days.js'

/** How openers of one style did. */
export interface StyleReplyRate extends ReplyRate {
  style: Style
}

/**
 * The reply rate of each style, of the openers sent in some days. How events count is said at `shareAmongStyles`.
 */
export async function replyRateByStyle(
  db: Database,
  query: ReplyRateQuery,
): Promise<StyleReplyRate[]> {
  const { query: days } = await selectReplyDays(db, query)
  const rows = await days.select('style').groupBy('style').execute()
  const byStyle = new Map(rows.map((row) => [row.style, row]))
  return (Object.keys(STYLES) as Style[]).map((style) => ({
    style,
    ...replyRate(byStyle.get(style)),
  }))
}
