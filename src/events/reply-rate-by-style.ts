import type { Database } from '../database/open-database.js'
import { STYLE_NAMES, type Style } from '../openers/styles.js'
import { replyRate, type ReplyRate } from './reply-rate.js'
import { selectReplyDays, type ReplyRateQuery } from './select-reply-days.js'

export interface StyleReplyRate extends ReplyRate {
  style: Style
}

/** The reply rate of each style, for the openers sent in a range of days. `shareAmongStyles` defines how events count. */
export async function replyRateByStyle(
  db: Database,
  query: ReplyRateQuery,
): Promise<StyleReplyRate[]> {
  const { query: days } = await selectReplyDays(db, query)
  const rows = await days.select('style').groupBy('style').execute()
  const byStyle = new Map(rows.map((row) => [row.style, row]))
  return STYLE_NAMES.map((style) => ({
    style,
    ...replyRate(byStyle.get(style)),
  }))
}
