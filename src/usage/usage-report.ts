import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../database/open-database.js'
import { findScopeId, type EventScope } from '../events/event-scope.js'
import { CAPABILITIES, type Capability } from '../organizations/capability.js'
import { latencyQuantile } from './latency-buckets.js'
import type { UsageOutcome } from './usage-outcome.js'
import { USAGE_STEPS, type UsageStep } from './usage-steps.js'

export interface UsageQuery extends EventScope {
  /** Milliseconds since the epoch. Every step that overlaps [from, to) is counted in full. */
  from: number
  to: number
  /** Hours are kept for two weeks, days and weeks forever. */
  step: UsageStep
}

/** Latency quantiles of charged answers, in milliseconds, off by at most 5 %; undefined without answers. */
export interface Latency {
  p50: number | undefined
  p95: number | undefined
  p99: number | undefined
}

/** The requests for one capability. */
export interface CapabilityUsage {
  capability: Capability
  requests: number
  outcomes: ReadonlyMap<UsageOutcome, number>
  latency: Latency
}

/** The requests for all capabilities in one step. */
export interface UsageInStep {
  /** Milliseconds since the epoch. */
  startsAt: number
  requests: Record<Capability, number>
  /** How many of these requests got an error. */
  errors: number
}

/** The latency of one capability in one step. */
export interface LatencyInStep extends Latency {
  /** Milliseconds since the epoch. */
  startsAt: number
}

/** Requests, their outcomes and latency of each capability. */
export async function usageByCapability(
  db: Database,
  query: UsageQuery,
): Promise<CapabilityUsage[]> {
  const rows = await sumRequests(db, query, ['capability', 'outcome', 'latency_bucket'])
  return CAPABILITIES.map((capability) => {
    const own = rows.filter((row) => row.capability === capability)
    const outcomes = new Map<UsageOutcome, number>()
    for (const { outcome, requests } of own) {
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + requests)
    }
    const answered = own.filter((row) => row.outcome === 'ok')
    return { capability, requests: sumOf(own), outcomes, latency: latencyOf(answered) }
  })
}

/** Requests and errors of every step, including steps without requests. */
export async function usageOverTime(db: Database, query: UsageQuery): Promise<UsageInStep[]> {
  const rows = await sumRequests(db, query, ['step', 'capability', 'outcome'])
  return mapSteps(query, rows, (own, startsAt) => {
    const requests = Object.fromEntries(
      CAPABILITIES.map((capability) => [
        capability,
        sumOf(own.filter((row) => row.capability === capability)),
      ]),
    ) as Record<Capability, number>
    return { startsAt, requests, errors: sumOf(own.filter((row) => isError(row.outcome))) }
  })
}

/** The latency of one capability in every step. */
export async function latencyOverTime(
  db: Database,
  { capability, ...query }: UsageQuery & { capability: Capability },
): Promise<LatencyInStep[]> {
  const rows = await sumRequests(db, query, ['step', 'latency_bucket'], {
    capability,
    outcome: 'ok',
  })
  return mapSteps(query, rows, (own, startsAt) => ({ startsAt, ...latencyOf(own) }))
}

/** Whether an outcome is an error code. */
export function isError(outcome: UsageOutcome): boolean {
  return outcome !== 'ok' && outcome !== 'replayed' && outcome !== 'client_left'
}

type Grouping = 'step' | 'capability' | 'outcome' | 'latency_bucket'

interface SummedRow {
  step: number
  capability: Capability
  outcome: UsageOutcome
  latency_bucket: number
  requests: number
}

/** Sums requests by `grouping`. Its cost does not grow with the number of requests, which are stored as counts. */
async function sumRequests<Group extends Grouping>(
  db: Database,
  { from, to, step, ...scope }: UsageQuery,
  grouping: readonly Group[],
  filter: { capability?: Capability; outcome?: UsageOutcome } = {},
): Promise<Pick<SummedRow, Group | 'requests'>[]> {
  const source = USAGE_STEPS[step]
  const first = source.startOf(source.stepOf(from)) / source.unitMs
  const last = Math.floor((to - 1) / source.unitMs)
  const columns: Record<Grouping, RawBuilder<unknown>> = {
    step: sql`${source.step} as step`,
    capability: sql`capability`,
    outcome: sql`outcome`,
    latency_bucket: sql`latency_bucket`,
  }
  const filters = Object.entries(filter).map(
    ([name, value]) => sql`and ${sql.ref(name)} = ${value}`,
  )
  const { rows } = await sql<Pick<SummedRow, Group | 'requests'>>`
    select ${sql.join(grouping.map((group) => columns[group]))}, sum(requests) as requests
    from ${sql.table(source.table)}
    where scope_id = ${await findScopeId(db, scope)}
      and ${sql.ref(source.unit)} between ${first} and ${last}
      ${sql.join(filters, sql` `)}
    group by ${sql.join(grouping.map((group) => sql.ref(group)))}
  `.execute(db)
  return rows
}

/** Maps each step of the query, even one without rows, by its rows. */
function mapSteps<Row extends { step: number }, T>(
  { from, to, step }: UsageQuery,
  rows: readonly Row[],
  toResult: (own: readonly Row[], startsAt: number) => T,
): T[] {
  const { stepOf, startOf } = USAGE_STEPS[step]
  const first = stepOf(from)
  const own = Array.from({ length: stepOf(to - 1) - first + 1 }, (): Row[] => [])
  for (const row of rows) own[row.step - first]?.push(row)
  return own.map((rowsOfStep, offset) => toResult(rowsOfStep, startOf(first + offset)))
}

function sumOf(rows: readonly { requests: number }[]): number {
  return rows.reduce((sum, { requests }) => sum + requests, 0)
}

function latencyOf(rows: readonly { latency_bucket: number; requests: number }[]): Latency {
  const counts = new Map<number, number>()
  for (const { latency_bucket: bucket, requests } of rows) {
    counts.set(bucket, (counts.get(bucket) ?? 0) + requests)
  }
  return {
    p50: latencyQuantile(counts, 0.5),
    p95: latencyQuantile(counts, 0.95),
    p99: latencyQuantile(counts, 0.99),
  }
}
