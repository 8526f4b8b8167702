import { sql } from 'kysely'
import type { Database } from '../database/open-database.js'
import { rowsOf } from '../database/rows-of.js'
import type { Capability, Environment } from '../organizations/capability.js'
import type { UsageOutcome } from './usage-outcome.js'

const HOURS_A_DAY = 24
/** Fifteen days; the portal shows hours of the last week only. */
const HOURS_KEPT = 15 * HOURS_A_DAY

/** Requests of one kind in one hour, as a tuple in the order of `COLUMNS`. */
export type UsageCount = readonly [
  organizationId: string,
  environment: Environment,
  capability: Capability,
  outcome: UsageOutcome,
  /** Hours since the epoch. */
  hour: number,
  /** See `latencyBucket`. */
  latencyBucket: number,
  requests: number,
]

const COLUMNS = {
  organization_id: 'text',
  environment: 'text',
  capability: 'text',
  outcome: 'text',
  hour: 'integer',
  latency_bucket: 'integer',
  requests: 'integer',
} as const

/** Adds to the counts of hours and days in one transaction. Counts of deleted organisations are dropped. */
export async function storeUsage(db: Database, counts: readonly UsageCount[]): Promise<void> {
  if (counts.length === 0) return
  await db.transaction().execute(async (transaction) => {
    await sql`
      insert into event_scopes (organization_id, environment)
      select distinct organization.id, counted.environment
      from ${rowsOf(transaction, counts, COLUMNS)} as counted
      join organizations as organization on organization.id = counted.organization_id
      where not exists (
        select 1 from event_scopes as known
        where known.organization_id = organization.id and known.environment = counted.environment
      )
      on conflict (organization_id, environment) do nothing
    `.execute(transaction)
    await addCounts(transaction, counts, { table: 'usage_hours', step: 'hour', hours: 1 })
    await addCounts(transaction, counts, { table: 'usage_days', step: 'day', hours: HOURS_A_DAY })
  })
}

async function addCounts(
  db: Database,
  counts: readonly UsageCount[],
  { table, step, hours }: { table: string; step: string; hours: number },
): Promise<void> {
  const key = sql`scope_id, ${sql.ref(step)}, capability, outcome, latency_bucket`
  // In the order of the key: processes that add to the same counts then wait for each other in one direction only.
  await sql`
    insert into ${sql.table(table)} (${key}, requests)
    select scope.id, hour / ${sql.lit(hours)}, capability, outcome, latency_bucket, sum(requests)
    from ${rowsOf(db, counts, COLUMNS)} as counted
    join event_scopes as scope
      on scope.organization_id = counted.organization_id and scope.environment = counted.environment
    where true
    group by 1, 2, 3, 4, 5
    order by 1, 2, 3, 4, 5
    on conflict (${key}) do update set requests = ${sql.table(table)}.requests + excluded.requests
  `.execute(db)
}

/** Deletes hours that the portal no longer shows; their days stay. */
export async function sweepUsageHours(db: Database, now: number): Promise<void> {
  const firstKept = Math.floor(now / 3_600_000) - HOURS_KEPT
  await db
    .deleteFrom('usage_hours')
    // The primary key starts with the scope, so listing all scopes lets SQLite use it.
    .where('scope_id', 'in', (select) => select.selectFrom('event_scopes').select('id'))
    .where('hour', '<', firstKept)
    .execute()
}
