import { sql } from 'kysely'
import { countRows, deleteInBatches, type DeletionTarget } from '../database/delete-in-batches.js'
import type { Database } from '../database/open-database.js'
import { dayOf } from '../events/calendar.js'
import {
  addToLearningCounts,
  BUCKET_COUNTS,
  EVIDENCE,
  LearningCounts,
} from '../events/learning-counts.js'
import { deleteOutcomes, outcomesOf, readOutcomes } from '../events/opener-outcomes.js'
import { toOriginatingCall, type CallRow } from '../events/originating-calls.js'
import { DEFAULT_SETTINGS } from '../learning/learning-settings.js'
import type { PurgedRecords } from './purged-records.js'

const BATCH_CALLS = 1_000

export interface EvidenceCutoffs {
  /** Milliseconds since the epoch, as is `call`; undefined: kept. */
  event: number | undefined
  call: number | undefined
}

/**
 * Deletes what learning counted of openers sent before the retention of events or calls. Reply rates stay, because nothing
 * in them refers to a person; a bucket stands for a few hundredths of a percent of the end users, so its counts go with the
 * events that they come from. What is learnt from has faded by then.
 *
 * The days that are deleted are closed first: events about openers sent then are no longer counted.
 */
export async function purgeEvidence(
  db: Database,
  { event, call }: EvidenceCutoffs,
  { dryRun }: { dryRun: boolean },
): Promise<PurgedRecords[]> {
  if (event === undefined && call === undefined) return []
  const firstDay = dayOf(Math.max(event ?? 0, call ?? 0))
  if (!dryRun) {
    await closeDays(db, firstDay)
    if (call !== undefined) await takeOutCalls(db, { call, firstDay })
  }
  const purged: PurgedRecords[] = []
  for (const { table, key } of [EVIDENCE, BUCKET_COUNTS]) {
    const where = sql<boolean>`day < ${firstDay}`
    const target: DeletionTarget = { table, key: ['scope_id', ...key], where }
    const rows = dryRun ? await countRows(db, target) : await deleteInBatches(db, target)
    purged.push({ records: table, rows })
  }
  return purged
}

async function closeDays(db: Database, firstDay: number): Promise<void> {
  const { state, controlPercent } = DEFAULT_SETTINGS
  await sql`
    insert into learning_settings (scope_id, state, control_percent, learns_from_day)
    select id, ${state}, ${controlPercent}, ${firstDay} from event_scopes
    where exists (select 1 from learning_buckets where scope_id = event_scopes.id and day < ${firstDay})
    on conflict (scope_id) do update
    set learns_from_day = max(coalesce(learns_from_day, 0), excluded.learns_from_day)
  `.execute(db)
}

interface OldCalls {
  call: number
  firstDay: number
}

/** Takes out openers that were sent long after their call, so that the counts can be computed again from what stays. */
async function takeOutCalls(db: Database, { call, firstDay }: OldCalls): Promise<void> {
  for (;;) {
    const { rows } = await sql<CallRow & { scope_id: number }>`
      select id, scope_id, capability, tone, openers, selection from service_calls
      where created_at < ${call} and selection is not null and exists (
        select 1 from opener_outcomes where call_id = service_calls.id and sent_day >= ${firstDay}
      )
      order by id limit ${BATCH_CALLS}
    `.execute(db)
    if (rows.length === 0) return
    await db.transaction().execute((transaction) => takeOut(transaction, rows))
  }
}

async function takeOut(db: Database, rows: readonly (CallRow & { scope_id: number })[]) {
  const ids = rows.map(({ id }) => id)
  const outcomes = await readOutcomes(db, ids)
  const byScope = new Map<number, LearningCounts>()
  for (const row of rows) {
    const counts = byScope.get(row.scope_id) ?? new LearningCounts()
    byScope.set(row.scope_id, counts)
    counts.add(toOriginatingCall(row), outcomesOf(outcomes, row.id), -1)
  }
  for (const [scopeId, counts] of byScope) await addToLearningCounts(db, scopeId, counts)
  await deleteOutcomes(db, ids)
}
