import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { countRows, deleteInSlices, type Doomed } from '../database/erasing-database.js'
import type { Database } from '../database/open-database.js'
import { dayOf, weekOf } from '../events/calendar.js'
import { periodOf } from '../metering/billing-period.js'
import { oldestKept, type Retention } from '../config/oldest-kept.js'

/** Records of one kind that are older than they may be. */
export interface PurgedRecords {
  records: string
  rows: number
}

/**
 * Deletes what is older than the configuration keeps it, in an order that leaves no reference behind; counts of
 * analytics stay. A server may run: it takes no event any more that this would delete.
 * @param db - opened by `openErasingDatabase`
 * @param options.dryRun - only counts
 */
export async function purgeOldRecords(
  db: Database,
  retention: Retention,
  { now, dryRun = false }: { now: number; dryRun?: boolean },
): Promise<PurgedRecords[]> {
  const purged: PurgedRecords[] = []
  for (const doomed of oldRecords(retention, now)) {
    const rows = dryRun ? await countRows(db, doomed) : await deleteInSlices(db, doomed)
    purged.push({ records: doomed.table, rows })
  }
  return purged
}

function oldRecords(retention: Retention, now: number): Doomed[] {
  const { event, call, audit, usage } = oldestKept(retention, now)
  return [
    ...oldEvents(event, call),
    ...(event === undefined ? [] : lostEndUsers(event)),
    ...(call === undefined ? [] : oldCalls(call)),
    ...(audit === undefined
      ? []
      : [{ table: 'audit_log', key: ['id'], where: before('at', audit) }]),
    ...(usage === undefined ? [] : oldUsage(usage)),
  ]
}

function before(column: string, time: number): RawBuilder<SqlBool> {
  return sql`${sql.ref(column)} < ${time}`
}

function isOfOldCall(time: number): RawBuilder<SqlBool> {
  return sql`exists (select 1 from service_calls where id = call_id and created_at < ${time})`
}

function oldEvents(event: number | undefined, call: number | undefined): Doomed[] {
  const reasons = [
    ...(event === undefined ? [] : [before('happened_at', event)]),
    ...(call === undefined ? [] : [isOfOldCall(call)]),
  ]
  if (reasons.length === 0) return []
  const where = sql<SqlBool>`(${sql.join(reasons, sql` or `)})`
  return [{ table: 'events', key: ['scope_id', 'idempotency_key'], where }]
}

/** End users of whom no event is left. */
function lostEndUsers(event: number): Doomed[] {
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

function oldCalls(call: number): Doomed[] {
  return [
    { table: 'opener_outcomes', key: ['call_id', 'opener_index'], where: isOfOldCall(call) },
    { table: 'service_calls', key: ['id'], where: before('created_at', call) },
  ]
}

function oldUsage(usage: number): Doomed[] {
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
