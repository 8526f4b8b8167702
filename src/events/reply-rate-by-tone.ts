import type { Database } from '../database/open-database.js'
import { TONES, type Tone } from '../openers/styles.js'
import { replyRate, type ReplyRate } from './reply-rate.js'
import { selectReplyDays, type ReplyRateQuery } from './select-reply-days.js'

export interface ToneReplyRate extends ReplyRate {
  tone: Tone
}

/** The reply rate of each tone, for the openers sent in a range of days. */
export async function replyRateByTone(
  db: Database,
  query: ReplyRateQuery,
): Promise<ToneReplyRate[]> {
  const { query: days } = await selectReplyDays(db, query)
  const rows = await days.select('tone').groupBy('tone').execute()
  const byTone = new Map(rows.map((row) => [row.tone, row]))
  return TONES.map((tone) => ({ tone, ...replyRate(byTone.get(tone)) }))
}
