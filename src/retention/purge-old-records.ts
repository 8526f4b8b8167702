import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { countRows, deleteInBatches, type DeletionTarget } from '../database/delete-in-batches.js'
import { isPostgres } from '../database/dialect.js'
import type { Database } from '../database/open-database.js'
import { dayOf, weekOf } from '../events/calendar.js'
import { periodOf } from '../metering/billing-period.js'
import type { AuditDeps } from '../organizations/audit-chain.js'
import { countOldEntries, deleteOldEntries } from '../organizations/erase-audit-entries.js'
import { retentionCutoffs, type Retention } from '../config/retention-cutoffs.js'
import { purgeEvidence } from './purge-evidence.js'
import { purgePartitions } from './purge-partitions.js'
import type { PurgedRecords } from './purged-records.js'

/**
 * Deletes records that are past their retention period, referencing rows first; analytics counts stay, and evidence
 * of learning goes. A server may be
 * running: it rejects events that are too old to be kept.
 * @param deps.db - opened by `openErasureConnection`
 * @param options.dryRun - only counts
 */
export async function purgeOldRecords(
  deps: AuditDeps,
  retention: Retention,
  { now, dryRun = false }: { now: number; dryRun?: boolean },
): Promise<PurgedRecords[]> {
  const cutoffs = retentionCutoffs(retention, now)
  // Before the calls: their openers are taken out of the counts.
  const evidence = await purgeEvidence(deps.db, cutoffs, { dryRun })
  const purged: PurgedRecords[] = []
  const { event } = cutoffs
  if (event !== undefined && isPostgres(deps.db)) {
    const rows = await purgePartitions(deps.db, event, { dryRun })
    purged.push({ records: 'events', rows })
  }
  for (const target of oldRecords(deps.db, cutoffs)) {
    const rows = dryRun ? await countRows(deps.db, target) : await deleteInBatches(deps.db, target)
    purged.push({ records: target.table, rows })
  }
  const { audit } = cutoffs
  if (audit !== undefined) {
    const rows = dryRun
      ? await countOldEntries(deps.db, audit)
      : await deleteOldEntries(deps, audit)
    purged.push({ records: 'audit_log', rows })
  }
  return [...sumByTable(purged), ...evidence]
}

function sumByTable(purged: readonly PurgedRecords[]): PurgedRecords[] {
  const sums = new Map<string, number>()
  for (const { records, rows } of purged) sums.set(records, (sums.get(records) ?? 0) + rows)
  return [...sums].map(([records, rows]) => ({ records, rows }))
}

function oldRecords(
  db: Database,
  { event, call, usage }: ReturnType<typeof retentionCutoffs>,
): DeletionTarget[] {
  return [
    ...oldEvents(isPostgres(db) ? undefined : event, call),
    ...(event === undefined ? [] : inactiveEndUsers(event)),
    ...(call === undefined ? [] : oldCalls(call)),
    ...(usage === undefined ? [] : oldUsage(usage)),
  ]
}

function before(column: string, time: number): RawBuilder<SqlBool> {
  return sql`${sql.ref(column)} < ${time}`
}

function isOfOldCall(time: number): RawBuilder<SqlBool> {
  return sql`exists (select 1 from service_calls where id = call_id and created_at < ${time})`
}

/** On PostgreSQL only those of old calls: the others have gone with their partitions. */
function oldEvents(event: number | undefined, call: number | undefined): DeletionTarget[] {
  const reasons = [
    ...(event === undefined ? [] : [before('happened_at', event)]),
    ...(call === undefined ? [] : [isOfOldCall(call)]),
  ]
  if (reasons.length === 0) return []
  const where = sql<SqlBool>`(${sql.join(reasons, sql` or `)})`
  return [{ table: 'events', key: ['scope_id', 'idempotency_key'], where }]
}

/** End users without remaining events. */
function inactiveEndUsers(event: number): DeletionTarget[] {
  const hasNoLaterWeek = sql<SqlBool>`not exists (
    select 1 from end_user_weeks as later
    where later.end_user_id = end_user_weeks.end_user_id and later.week >= ${weekOf(event)}
  )`
  return [
    { table: 'end_user_weeks', key: ['end_user_id', 'week'], where: hasNoLaterWeek },
    {
      table: 'end_users',
      key: ['id'],
      where: sql`not exists (select 1 from end_user_weeks where end_user_id = end_users.id)`,
    },
  ]
}

function oldCalls(call: number): DeletionTarget[] {
  return [
    { table: 'opener_outcomes', key: ['call_id', 'opener_index'], where: isOfOldCall(call) },
    { table: 'service_calls', key: ['id'], where: before('created_at', call) },
  ]
}

function oldUsage(usage: number): DeletionTarget[] {
  const day = dayOf(usage)
  const key = (step: string) => ['scope_id', step, 'capability', 'outcome', 'latency_bucket']
  return [
    {
      table: 'quota_usage',
      key: ['organization_id', 'environment', 'capability', 'period'],
      where: sql`period < ${periodOf(usage)}`,
    },
    { table: 'usage_hours', key: key('hour'), where: before('hour', day * 24) },
    { table: 'usage_days', key: key('day'), where: before('day', day) },
  ]
}
