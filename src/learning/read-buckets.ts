import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../database/open-database.js'
import { dayOf, weekOfDay, weekStart } from '../events/calendar.js'
import { SHARES_PER_OPENER } from '../events/opener-shares.js'
import type { BucketRow } from './evidence.js'
import type { DayRange } from './settled-days.js'

interface BucketQuery extends DayRange {
  scopeId: number
}

/**
 * The openers of each bucket by ISO week, oldest first; the day of a row is the first that it covers. One query a week, which
 * takes a few milliseconds, and requests get their turn after each.
 */
export async function readBuckets(db: Database, query: BucketQuery): Promise<BucketRow[]> {
  const rows: BucketRow[] = []
  let from = await findFirstDay(db, query)
  while (from !== undefined && from <= query.to) {
    const nextMonday = dayOf(weekStart(weekOfDay(from) + 1))
    const to = Math.min(query.to, nextMonday - 1)
    for (const row of await sumBuckets(db, { ...query, from, to })) rows.push(row)
    from = nextMonday
    await nextTurn()
  }
  return rows
}

async function findFirstDay(
  db: Database,
  { scopeId, from, to }: BucketQuery,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('learning_buckets')
    .select('day')
    .where('scope_id', '=', scopeId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .where('sent', '>', 0)
    .orderBy('day')
    .limit(1)
    .executeTakeFirst()
  return row?.day
}

async function sumBuckets(db: Database, { scopeId, from, to }: BucketQuery): Promise<BucketRow[]> {
  const { rows } = await sql<BucketRow>`
    select cast(${from} as integer) as day, arm, bucket, sum(sent) as sent, sum(replied) as replied
    from learning_buckets
    where scope_id = ${scopeId} and day between ${from} and ${to}
    group by arm, bucket having sum(sent) > 0
  `.execute(db)
  return rows.map((row) => ({
    ...row,
    sent: row.sent / SHARES_PER_OPENER,
    replied: row.replied / SHARES_PER_OPENER,
  }))
}
