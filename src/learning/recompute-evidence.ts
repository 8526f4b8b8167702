import { sql } from 'kysely'
import { lockFor } from '../database/lock-for.js'
import type { Database } from '../database/open-database.js'
import { inSnapshot } from '../database/in-snapshot.js'
import { rowsOf } from '../database/rows-of.js'
import { transactDurably } from '../database/transact-durably.js'
import { findScopeId, type EventScope } from '../events/event-scope.js'
import {
  BUCKET_COUNTS,
  countColumns,
  EVIDENCE,
  firstCountedDay,
  LearningCounts,
  sumOnConflict,
  type CountTable,
} from '../events/learning-counts.js'
import { outcomesOf, readOutcomes } from '../events/opener-outcomes.js'
import { toOriginatingCall, type CallRow } from '../events/originating-calls.js'
import type { Tally } from '../events/tally.js'

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
 * into a page, so memory does not grow with the number of calls. They belong to a connection, so on PostgreSQL it must not
 * lead through a pooler in transaction mode.
 */
export async function recomputeEvidence(db: Database, scope: EventScope): Promise<Recomputed> {
  const scopeId = await findScopeId(db, scope)
  return db.connection().execute(async (connection) => {
    try {
      for (const table of TABLES) await createRecomputed(connection, table)
      const calls = await inSnapshot(connection, (snapshot) => findDifferences(snapshot, scopeId))
      return { calls, corrected: await addDifferences(connection, scopeId) }
    } finally {
      for (const { table } of TABLES) {
        await sql`drop table if exists ${recomputed(table)}`.execute(connection)
        await sql`drop table if exists ${difference(table)}`.execute(connection)
      }
    }
  })
}

const TABLES = [EVIDENCE, BUCKET_COUNTS]

/** No other tables have these names; temporary ones come first where a name is looked up. */
const recomputed = (table: string) => sql.table(`recomputed_${table}`)
const difference = (table: string) => sql.table(`difference_${table}`)
const list = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)))

async function createRecomputed(db: Database, { table, key }: CountTable): Promise<void> {
  const columns = Object.entries(countColumns(key)).map(
    ([name, type]) => sql`${sql.ref(name)} ${sql.raw(type === 'text' ? 'text' : 'bigint')}`,
  )
  await sql`
    create temp table ${recomputed(table)}
      (${sql.join(columns)}, primary key (${list(Object.keys(key))}))
  `.execute(db)
}

/** @returns the number of calls read */
async function findDifferences(db: Database, scopeId: number): Promise<number> {
  const calls = await countAllCalls(db, scopeId)
  for (const table of TABLES) await compareCounts(db, scopeId, table)
  return calls
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
    await addToRecomputed(db, EVIDENCE, counts.evidence)
    await addToRecomputed(db, BUCKET_COUNTS, counts.buckets)
    calls += rows.length
    const last = rows.at(-1)
    if (!last || rows.length < PAGE_CALLS) return calls
    after = last.id
  }
}

async function addToRecomputed(
  db: Database,
  { table, key }: CountTable,
  counts: Tally,
): Promise<void> {
  const columns = countColumns(key)
  const names = list(Object.keys(columns))
  await sql`
    insert into ${recomputed(table)} (${names})
    select ${names} from ${rowsOf(db, counts.rows(), columns)} as added where true
    on conflict ${sumOnConflict(`recomputed_${table}`, Object.keys(key))}
  `.execute(db)
}

async function compareCounts(
  db: Database,
  scopeId: number,
  { table, key }: CountTable,
): Promise<void> {
  const names = list(Object.keys(key))
  await sql`
    create temp table ${difference(table)} as
    select ${names}, sum(sent) as sent, sum(replied) as replied from (
      select ${names}, sent, replied from ${recomputed(table)}
      where day >= ${firstCountedDay(scopeId)}
      union all
      select ${names}, -sent, -replied from ${sql.table(table)} where scope_id = ${sql.lit(scopeId)}
    ) as both_counts
    group by ${names} having sum(sent) <> 0 or sum(replied) <> 0
  `.execute(db)
}

/** @returns the number of counts that changed */
async function addDifferences(db: Database, scopeId: number): Promise<number> {
  return transactDurably(db, async (transaction) => {
    await lockFor(transaction, 'events', scopeId)
    let corrected = 0
    for (const { table, key } of TABLES) {
      const names = list(Object.keys(countColumns(key)))
      const { numAffectedRows } = await sql`
        insert into ${sql.table(table)} (scope_id, ${names})
        select ${scopeId}, ${names} from ${difference(table)}
        where day >= ${firstCountedDay(scopeId)}
        on conflict ${sumOnConflict(table, ['scope_id', ...Object.keys(key)])}
      `.execute(transaction)
      corrected += Number(numAffectedRows ?? 0)
    }
    return corrected
  })
}
