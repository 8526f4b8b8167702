import { sql } from 'kysely'
import { lockFor } from '../database/lock-for.js'
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
    const target: DeletionTarget = { table, key: ['scope_id', ...Object.keys(key)], where }
    const rows = dryRun ? await countRows(db, target) : await deleteInBatches(db, target)
    purged.push({ records: table, rows })
  }
  return purged
}

async function closeDays(db: Database, firstDay: number): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from event_scopes
    where exists (select 1 from learning_buckets where scope_id = event_scopes.id and day < ${firstDay})
  `.execute(db)
  for (const { id } of rows) {
    await db.transaction().execute(async (transaction) => {
      await lockFor(transaction, 'events', id)
      await closeDaysOf(transaction, id, firstDay)
    })
  }
}

async function closeDaysOf(db: Database, scopeId: number, firstDay: number): Promise<void> {
  const { state, controlPercent } = DEFAULT_SETTINGS
  await db
    .insertInto('learning_settings')
    .values({
      scope_id: scopeId,
      state,
      control_percent: controlPercent,
      learns_from_day: firstDay,
    })
    .onConflict((conflict) =>
      conflict
        .column('scope_id')
        .doUpdateSet({ learns_from_day: firstDay })
        .where((where) =>
          where.or([
            where('learning_settings.learns_from_day', 'is', null),
            where('learning_settings.learns_from_day', '<', firstDay),
          ]),
        ),
    )
    .execute()
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
    for (const scopeId of new Set(rows.map((row) => row.scope_id))) {
      const ofScope = rows.filter((row) => row.scope_id === scopeId)
      await db.transaction().execute((transaction) => takeOut(transaction, scopeId, ofScope))
    }
  }
}

async function takeOut(db: Database, scopeId: number, calls: readonly CallRow[]): Promise<void> {
  await lockFor(db, 'events', scopeId)
  const ids = calls.map(({ id }) => id)
  const outcomes = await readOutcomes(db, ids)
  const counts = new LearningCounts()
  for (const call of calls) {
    counts.add(toOriginatingCall(call), outcomesOf(outcomes, call.id), -1)
  }
  await addToLearningCounts(db, scopeId, counts)
  await deleteOutcomes(db, ids)
}
