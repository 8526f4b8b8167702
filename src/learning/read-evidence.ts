import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../database/open-database.js'
import type { LearningEvidenceTable } from '../database/schema.js'
import { SHARES_PER_OPENER } from '../events/opener-shares.js'
import type { OpenerDetail } from '../openers/opener-traits.js'
import type { Style, Tone } from '../openers/styles.js'
import type { EvidenceRow } from './evidence.js'
import { HALF_LIVES } from './choose-half-lives.js'
import type { HalfLives } from './fading.js'
import type { DayRange } from './settled-days.js'

/** The slowest half-lives that evidence may fade by. */
const SLOWEST = HALF_LIVES[0] as HalfLives
/** Evidence that has faded to 2^-14 does not count any more: this bounds how much is read of a large partner. */
const READ_HALVINGS = 14

interface EvidenceQuery extends DayRange {
  scopeId: number
}

/**
 * The evidence of an environment, newest day first, until the rest has faded. One short query a day, and requests get their
 * turn after each.
 */
export async function readEvidence(
  db: Database,
  { scopeId, from, to }: EvidenceQuery,
): Promise<EvidenceRow[]> {
  const rows: EvidenceRow[] = []
  let sent = 0
  for (let before = to + 1; ;) {
    const day = await selectDay(db, { scopeId, from, before })
    const newest = rows[0]?.day ?? day[0]?.day
    if (newest === undefined || day[0] === undefined) return rows
    rows.push(...day)
    sent += day.reduce((sum, row) => sum + row.sent, 0)
    before = day[0].day
    const halvings = sent / SLOWEST.openers + (newest - before) / SLOWEST.days
    if (halvings > READ_HALVINGS) return rows
    await nextTurn()
  }
}

/** The last day before `before` that has evidence. */
async function selectDay(
  db: Database,
  { scopeId, from, before }: { scopeId: number; from: number; before: number },
): Promise<EvidenceRow[]> {
  const { rows } = await sql<LearningEvidenceTable>`
    select * from learning_evidence
    where scope_id = ${scopeId} and sent > 0 and day = (
      select max(day) from learning_evidence
      where scope_id = ${scopeId} and day >= ${from} and day < ${before} and sent > 0
    )
  `.execute(db)
  return rows.map(toEvidence)
}

function toEvidence(row: LearningEvidenceTable): EvidenceRow {
  return {
    day: row.day,
    tone: row.tone as Tone,
    style: row.style as Style,
    isQuestion: row.is_question === 1,
    detail: row.detail as OpenerDetail,
    lengthBand: row.length_band,
    scoreBand: row.score_band,
    sent: row.sent / SHARES_PER_OPENER,
    replied: row.replied / SHARES_PER_OPENER,
  }
}

/** Openers counted in a range of days, and the first of these days; undefined without any. */
export async function summarizeEvidence(
  db: Database,
  { scopeId, from, to }: EvidenceQuery,
): Promise<{ sent: number; firstDay: number | undefined }> {
  const row = await db
    .selectFrom('learning_evidence')
    .select(({ fn }) => [fn.sum<number | null>('sent').as('sent'), fn.min('day').as('day')])
    .where('scope_id', '=', scopeId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .where('sent', '>', 0)
    .executeTakeFirstOrThrow()
  return { sent: (row.sent ?? 0) / SHARES_PER_OPENER, firstDay: row.day ?? undefined }
}
