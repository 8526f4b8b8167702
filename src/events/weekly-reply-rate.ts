import { sql } from 'kysely'
import type { Database } from '../database/open-database.js'
import { STYLES, type Style } from '../openers/styles.js'
import { isoWeekName, weekOf, weekStart } from './calendar.js'
import { replyRate, type ReplyRate } from './reply-rate.js'
import { selectReplyDays, type ReplyRateQuery } from './select-reply-days.js'

/** How the openers sent in one week did. */
export interface WeekReplyRate {
  /** The ISO week, such as `2026-W28`. */
  week: string
  /** Monday 00:00 UTC of that week, in milliseconds since the epoch. */
  startsAt: number
  /** Of all styles together. */
  all: ReplyRate
  byStyle: Record<Style, ReplyRate>
}

/** The reply rate of each ISO week in UTC that [from, to) touches; of the first and last week only the days asked for. */
export async function weeklyReplyRate(
  db: Database,
  query: ReplyRateQuery,
): Promise<WeekReplyRate[]> {
  const { query: days } = await selectReplyDays(db, query)
  const week = sql<number>`(day + 3) / 7`
  const rows = await days
    .select(['style', week.as('week')])
    .groupBy(['week', 'style'])
    .execute()
  const byWeekAndStyle = new Map(rows.map((row) => [`${row.week} ${row.style}`, row]))
  const [first, last] = [weekOf(query.from), weekOf(query.to - 1)]
  return Array.from({ length: last - first + 1 }, (_, offset) => {
    const counts = STYLE_NAMES.map((style) => byWeekAndStyle.get(`${first + offset} ${style}`))
    const add = (what: 'sent' | 'replied') =>
      counts.reduce((sum, counted) => sum + (counted?.[what] ?? 0), 0)
    return {
      week: isoWeekName(first + offset),
      startsAt: weekStart(first + offset),
      all: replyRate({ sent: add('sent'), replied: add('replied') }),
      byStyle: Object.fromEntries(
        STYLE_NAMES.map((style, index) => [style, replyRate(counts[index])]),
      ) as Record<Style, ReplyRate>,
    }
  })
}

const STYLE_NAMES = Object.keys(STYLES) as Style[]
