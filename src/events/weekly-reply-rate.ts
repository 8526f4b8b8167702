import { sql } from 'kysely'
import type { Database } from '../database/open-database.js'
import { STYLE_NAMES, type Style } from '../openers/styles.js'
import { isoWeekName, weekOf, weekStart } from './calendar.js'
import { replyRate, type ReplyRate } from './reply-rate.js'
import { selectReplyDays, type ReplyRateQuery } from './select-reply-days.js'

/** The reply rates of the openers sent in one week. */
export interface WeekReplyRate {
  /** The ISO week, such as `2026-W28`. */
  week: string
  /** Monday 00:00 UTC of that week, in milliseconds since the epoch. */
  startsAt: number
  /** All styles together. */
  all: ReplyRate
  byStyle: Record<Style, ReplyRate>
}

/** The reply rate of each ISO week in UTC that overlaps [from, to). The first and last week count only days in the range. */
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
    const sumOf = (event: 'sent' | 'replied') =>
      counts.reduce((sum, counted) => sum + (counted?.[event] ?? 0), 0)
    return {
      week: isoWeekName(first + offset),
      startsAt: weekStart(first + offset),
      all: replyRate({ sent: sumOf('sent'), replied: sumOf('replied') }),
      byStyle: Object.fromEntries(
        STYLE_NAMES.map((style, index) => [style, replyRate(counts[index])]),
      ) as Record<Style, ReplyRate>,
    }
  })
}
