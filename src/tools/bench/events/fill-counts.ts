import { sql } from 'kysely'
import type { Database } from '../../../database/open-database.js'
import { BUCKETS } from '../../../learning/uplift.js'
import { OPENER_DETAILS } from '../../../openers/opener-traits.js'
import { STYLE_NAMES, TONES } from '../../../openers/styles.js'
import { DAY_MS, YEAR_END, YEAR_MS } from './synthetic-events.js'

const YEAR_START = YEAR_END - YEAR_MS

/** As many rows of counts as events of a year leave behind, not their sums. */
export async function fillCounts(db: Database, events: number): Promise<void> {
  const days = sql`generate_series(${sql.lit(YEAR_START / DAY_MS)}, ${sql.lit(YEAR_END / DAY_MS)}) as day`
  const tones = sql`unnest(array[${sql.join(TONES.map((tone) => sql.lit(tone)))}]) as tone`
  const styles = sql`unnest(array[${sql.join(STYLE_NAMES.map((style) => sql.lit(style)))}]) as style`
  const details = sql`unnest(array[${sql.join(OPENER_DETAILS.map((detail) => sql.lit(detail)))}]) as detail`
  await sql`
    insert into reply_rate_days select 1, day, tone, style, 600, 60
    from ${days} cross join ${tones} cross join ${styles}
  `.execute(db)
  await sql`
    insert into learning_evidence select 1, day, tone, style, question, detail, length_band, score_band, 600, 60
    from ${days} cross join ${tones} cross join ${styles} cross join generate_series(0, 1) as question
    cross join ${details} cross join generate_series(0, 2) as length_band cross join generate_series(1, 5) as score_band
    order by hashint8(day * 4096 + length_band * 64 + score_band)
    limit ${sql.lit(events)}
  `.execute(db)
  await sql`
    insert into learning_buckets select 1, day, 'learned', bucket, 600, 60
    from ${days} cross join generate_series(0, ${sql.lit(BUCKETS - 1)}) as bucket
  `.execute(db)
}
