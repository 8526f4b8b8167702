import { sql } from 'kysely'
import type { Database } from '../database/open-database.js'
import type { Capability, Environment } from '../organizations/capability.js'
import type { UsageOutcome } from './usage-outcome.js'

const HOURS_A_DAY = 24
/** Fifteen days; the portal shows hours of the last week only. */
const HOURS_KEPT = 15 * HOURS_A_DAY

/** Requests of one kind in one hour, as a tuple in the order that the SQL below reads. */
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

/** Adds to the counts of hours and days in one transaction. Counts of deleted organisations are dropped. */
export async function storeUsage(db: Database, counts: readonly UsageCount[]): Promise<void> {
  if (counts.length === 0) return
  const json = JSON.stringify(counts)
  await db.transaction().execute(async (transaction) => {
    await sql`
      insert into event_scopes (organization_id, environment)
      select distinct organization.id, value ->> 1
      from json_each(${json})
      join organizations as organization on organization.id = value ->> 0
      where true
      on conflict (organization_id, environment) do nothing
    `.execute(transaction)
    await addCounts(transaction, json, { table: 'usage_hours', step: 'hour', hours: 1 })
    await addCounts(transaction, json, { table: 'usage_days', step: 'day', hours: HOURS_A_DAY })
  })
}

async function addCounts(
  db: Database,
  json: string,
  { table, step, hours }: { table: string; step: string; hours: number },
): Promise<void> {
  await sql`
    insert into ${sql.table(table)}
      (scope_id, ${sql.ref(step)}, capability, outcome, latency_bucket, requests)
    select scope.id, (value ->> 4) / ${sql.lit(hours)}, value ->> 2, value ->> 3, value ->> 5, value ->> 6
    from json_each(${json})
    join event_scopes as scope
      on scope.organization_id = value ->> 0 and scope.environment = value ->> 1
    where true
    on conflict do update set requests = requests + excluded.requests
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
