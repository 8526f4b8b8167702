import { sql } from 'kysely'
import type { Database } from '../database/open-database.js'
import { transactDurably } from '../database/transact-durably.js'
import { findScopeId, type EventScope } from '../events/event-scope.js'
import {
  BUCKET_COUNTS,
  EVIDENCE,
  firstCountedDay,
  LearningCounts,
  type CountTable,
} from '../events/learning-counts.js'
import { outcomesOf, readOutcomes } from '../events/opener-outcomes.js'
import { toOriginatingCall, type CallRow } from '../events/originating-calls.js'

/** Bounds the memory. */
const PAGE_CALLS = 10_000

export interface Recomputed {
  /** Calls read. */
  calls: number
  /** Counts that were wrong. */
  corrected: number
}

/**
 * Computes the counts of an environment again from its calls and their outcomes, and corrects those that differ.
 *
 * A running server goes on: the differences are found in one snapshot of the database and then added to the counts. Sums do
 * not depend on their order, so what was counted after the snapshot stays right. Temporary tables hold what does not fit
 * into a page, so memory does not grow with the number of calls.
 */
export async function recomputeEvidence(db: Database, scope: EventScope): Promise<Recomputed> {
  const scopeId = await findScopeId(db, scope)
  try {
    const calls = await findDifferences(db, scopeId)
    return { calls, corrected: await addDifferences(db, scopeId) }
  } finally {
    for (const { table } of TABLES) {
      await sql`drop table if exists ${recomputed(table)}`.execute(db)
      await sql`drop table if exists ${difference(table)}`.execute(db)
    }
  }
}

const TABLES = [EVIDENCE, BUCKET_COUNTS]

const recomputed = (table: string) => sql.table(`temp.recomputed_${table}`)
const difference = (table: string) => sql.table(`temp.difference_${table}`)
const list = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)))

/** @returns the number of calls read */
async function findDifferences(db: Database, scopeId: number): Promise<number> {
  return db.connection().execute(async (connection) => {
    for (const { table, key } of TABLES) {
      await sql`
        create temp table ${sql.ref(`recomputed_${table}`)}
          (${list(key)}, sent, replied, primary key (${list(key)})) without rowid
      `.execute(connection)
    }
    // Unlike a Kysely transaction this takes no write lock.
    await sql`begin`.execute(connection)
    try {
      const calls = await countAllCalls(connection, scopeId)
      for (const table of TABLES) await compareCounts(connection, scopeId, table)
      return calls
    } finally {
      await sql`commit`.execute(connection)
    }
  })
}

async function countAllCalls(db: Database, scopeId: number): Promise<number> {
  let calls = 0
  for (let after = 0; ;) {
    const { rows } = await sql<CallRow>`
      select id, capability, tone, openers, selection from service_calls
      where id > ${after} and scope_id = ${scopeId} and selection is not null
      order by id limit ${PAGE_CALLS}
    `.execute(db)
    const outcomes = await readOutcomes(
      db,
      rows.map(({ id }) => id),
    )
    const counts = new LearningCounts()
    for (const row of rows) {
      if (outcomes.has(row.id)) counts.add(toOriginatingCall(row), outcomesOf(outcomes, row.id), 1)
    }
    await addToRecomputed(db, EVIDENCE, counts.evidence.rows())
    await addToRecomputed(db, BUCKET_COUNTS, counts.buckets.rows())
    calls += rows.length
    const last = rows.at(-1)
    if (!last || rows.length < PAGE_CALLS) return calls
    after = last.id
  }
}

async function addToRecomputed(
  db: Database,
  { table, key }: CountTable,
  rows: unknown[][],
): Promise<void> {
  const columns = [...key, 'sent', 'replied']
  const values = columns.map((_column, index) => sql`value ->> ${sql.lit(index)}`)
  await sql`
    insert into ${recomputed(table)} (${list(columns)})
    select ${sql.join(values)} from json_each(${JSON.stringify(rows)}) where true
    on conflict do update set sent = sent + excluded.sent, replied = replied + excluded.replied
  `.execute(db)
}

async function compareCounts(
  db: Database,
  scopeId: number,
  { table, key }: CountTable,
): Promise<void> {
  await sql`
    create temp table ${sql.ref(`difference_${table}`)} as
    select ${list(key)}, sum(sent) as sent, sum(replied) as replied from (
      select ${list(key)}, sent, replied from ${recomputed(table)}
      where day >= ${firstCountedDay(scopeId)}
      union all
      select ${list(key)}, -sent, -replied from ${sql.table(table)} where scope_id = ${scopeId}
    )
    group by ${list(key)} having sum(sent) <> 0 or sum(replied) <> 0
  `.execute(db)
}

/** @returns the number of counts that changed */
async function addDifferences(db: Database, scopeId: number): Promise<number> {
  return transactDurably(db, async (transaction) => {
    let corrected = 0
    for (const { table, key } of TABLES) {
      const columns = [...key, 'sent', 'replied']
      const { numAffectedRows } = await sql`
        insert into ${sql.table(table)} (scope_id, ${list(columns)})
        select ${scopeId}, ${list(columns)} from ${difference(table)}
        where day >= ${firstCountedDay(scopeId)}
        on conflict do update set sent = sent + excluded.sent, replied = replied + excluded.replied
      `.execute(transaction)
      corrected += Number(numAffectedRows ?? 0)
    }
    return corrected
  })
}
