import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../database/open-database.js'
import { rowsOf } from '../database/rows-of.js'
import { ATTRIBUTION_DAYS } from './attribution-window.js'
import { lengthBand, scoreBand } from './evidence-bands.js'
import {
  listSentOpeners,
  SHARES_PER_OPENER,
  UNNAMED_OPENER,
  type CallOutcomes,
  type OpenerOutcome,
} from './opener-shares.js'
import type { OriginatingCall } from './originating-calls.js'
import { Tally } from './tally.js'
import type { StoredOpener } from './written-openers.js'

/**
 * What learning counts, in sixtieths of an opener: openers by day, tone and traits, and openers by day, arm and bucket.
 * Sums of whole numbers do not depend on the order of their parts, so neither duplicates nor the order of events nor the
 * number of processes that count matters, and the counts can be computed again from the calls and their outcomes.
 */
export class LearningCounts {
  readonly evidence = new Tally()
  readonly buckets = new Tally()

  get size(): number {
    return this.evidence.size + this.buckets.size
  }

  /**
   * Adds the openers of a call, or takes them out. Calls without a selection, which were made while learning was off, do
   * not count.
   */
  add(call: OriginatingCall, outcomes: CallOutcomes, sign: 1 | -1): void {
    const { tone, selection, openers } = call
    if (!selection || tone === null) return
    for (const { opener, day, sent, replied } of shareAmongOpeners(openers, outcomes)) {
      const amounts = [sign * sent, sign * replied]
      this.evidence.add([day, tone, ...traitsOf(opener)], amounts)
      this.buckets.add([day, selection.arm, selection.bucket], amounts)
    }
  }
}

interface OpenerShare {
  opener: StoredOpener
  day: number
  sent: number
  replied: number
}

/** An opener that was sent without an index counts in equal shares for each opener of the call. */
function shareAmongOpeners(
  openers: readonly StoredOpener[],
  outcomes: CallOutcomes,
): OpenerShare[] {
  return listSentOpeners(outcomes, isWithinWindow).flatMap(({ index, day, replied }) => {
    if (index === UNNAMED_OPENER) {
      const sent = SHARES_PER_OPENER / openers.length
      return openers.map((opener) => ({ opener, day, sent, replied: replied / openers.length }))
    }
    const opener = openers[index]
    return opener ? [{ opener, day, sent: SHARES_PER_OPENER, replied }] : []
  })
}

/** Clocks differ, so a reply may be dated before its opener. */
function isWithinWindow({ repliedDay }: OpenerOutcome, sentDay: number): boolean {
  return repliedDay !== null && repliedDay - sentDay <= ATTRIBUTION_DAYS
}

function traitsOf({ style, length, isQuestion, detail, score }: StoredOpener) {
  const question = Number(isQuestion ?? false)
  return [style, question, detail ?? 'none', lengthBand(length), scoreBand(score ?? null)] as const
}

/** A table of counts: its key besides the scope, followed by `sent` and `replied`. */
export interface CountTable {
  table: 'learning_evidence' | 'learning_buckets'
  key: Readonly<Record<string, 'integer' | 'text'>>
}

export const EVIDENCE: CountTable = {
  table: 'learning_evidence',
  key: {
    day: 'integer',
    tone: 'text',
    style: 'text',
    is_question: 'integer',
    detail: 'text',
    length_band: 'integer',
    score_band: 'integer',
  },
}
export const BUCKET_COUNTS: CountTable = {
  table: 'learning_buckets',
  key: { day: 'integer', arm: 'text', bucket: 'integer' },
}

/** Adds to the stored counts of a scope. */
export async function addToLearningCounts(
  db: Database,
  scopeId: number,
  { evidence, buckets }: LearningCounts,
): Promise<void> {
  await addRows(db, scopeId, { ...EVIDENCE, counts: evidence })
  await addRows(db, scopeId, { ...BUCKET_COUNTS, counts: buckets })
}

async function addRows(
  db: Database,
  scopeId: number,
  { table, key, counts }: CountTable & { counts: Tally },
): Promise<void> {
  if (counts.size === 0) return
  const columns = countColumns(key)
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)))
  await sql`
    insert into ${sql.table(table)} (scope_id, ${names})
    select ${scopeId}, ${names}
    from ${rowsOf(db, counts.rows(), columns)} as added
    where day >= ${firstCountedDay(scopeId)}
    on conflict ${sumOnConflict(table, ['scope_id', ...Object.keys(key)])}
  `.execute(db)
}

/** The columns of a table of counts besides the scope, with their types. */
export function countColumns(key: CountTable['key']): CountTable['key'] {
  return { ...key, sent: 'integer', replied: 'integer' }
}

/** What follows `on conflict` so that counts of the same key are added up. */
export function sumOnConflict(table: string, key: readonly string[]): RawBuilder<unknown> {
  const sums = ['sent', 'replied'].map(
    (count) =>
      sql`${sql.ref(count)} = ${sql.ref(`${table}.${count}`)} + ${sql.ref(`excluded.${count}`)}`,
  )
  return sql`(${sql.join(key.map((name) => sql.ref(name)))}) do update set ${sql.join(sums)}`
}

/** Openers sent earlier do not count: a reset or retention deleted what there was of them. */
export function firstCountedDay(scopeId: number): RawBuilder<number> {
  return sql`coalesce((select learns_from_day from learning_settings where scope_id = ${scopeId}), 0)`
}
