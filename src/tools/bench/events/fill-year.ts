import { createHash } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../../database/open-database.js'
import { ensureEventPartitions } from '../../../database/postgres/event-partitions.js'
import { fillCalls } from './fill-calls.js'
import { fillCounts } from './fill-counts.js'
import { inChunks, refillTable } from './refill-table.js'
import { DAY_MS, SCOPE, YEAR_END, YEAR_MS } from './synthetic-events.js'

/** A pair of calls has five events: an opener that is replied to, and two, of which the second is. */
export const EVENTS_PER_PAIR = 5
const EVENTS_PER_USER = 10
const LATE_SHARE = 0.03
const MAX_LATE_MS = 60 * DAY_MS
const YEAR_START = YEAR_END - YEAR_MS

export interface YearToFill {
  /** A multiple of five. */
  events: number
  /** Calls after those of the events, in pairs, to which new events can refer. */
  sparePairs: number
  onProgress?: (table: string) => void
}

/**
 * Fills an empty PostgreSQL database with a year of one partner's events, and with everything else that storing them leaves behind:
 * straight into the tables, with indexes built afterwards. Where `wal_level` is `minimal`, nothing is logged. Needs the
 * rights of a superuser, to leave out the checks of foreign keys.
 */
export async function fillYear(
  db: Database,
  { events, sparePairs, onProgress = () => {} }: YearToFill,
): Promise<void> {
  const pairs = events / EVENTS_PER_PAIR
  const months = Array.from({ length: 14 }, (_, i) => Date.UTC(2025, 10 + i))
  await db.transaction().execute((transaction) => ensureEventPartitions(transaction, months))
  await insertScope(db)
  const steps: readonly Record<string, () => Promise<void>>[] = [
    {
      events: () => fillEvents(db, pairs, events),
      event_keys: () => fillKeys(db, events),
    },
    {
      service_calls: () => fillCalls(db, pairs, sparePairs),
      opener_outcomes: () => fillOutcomes(db, pairs, events),
      end_user_weeks: () => fillEndUsers(db, pairs, events),
      learning_evidence: () => fillCounts(db, events),
    },
  ]
  // Two connections at a time.
  await Promise.all(
    steps.map(async (tables) => {
      for (const [table, fill] of Object.entries(tables)) {
        await fill()
        onProgress(table)
      }
    }),
  )
  for (const { tablename } of await listTables(db)) {
    await sql`vacuum (freeze, analyze, index_cleanup off) ${sql.table(tablename)}`.execute(db)
  }
  onProgress('vacuum')
}

/** Fractions in [0, 1) that depend on a number and a seed alone. */
const fractionOf = (value: RawBuilder<unknown>, seed: number) =>
  sql`((hashint8extended(${value}, ${sql.lit(seed)}) & 2147483647) / float8 '2147483648')`

const pairStart = (k: RawBuilder<unknown>) => sql`(${k} * ${sql.lit(EVENTS_PER_PAIR)})`

/** When the event at a position of the year happened, in milliseconds since the epoch. */
function timeOf(p: RawBuilder<unknown>, events: number): RawBuilder<unknown> {
  const late = fractionOf(p, 1)
  return sql`cast(greatest(float8 '${sql.raw(String(YEAR_START))}',
    float8 '${sql.raw(String(YEAR_START))}' + ${p} * float8 '${sql.raw(String(YEAR_MS / events))}'
    - case when ${late} < float8 '${sql.raw(String(LATE_SHARE))}'
      then ${late} * float8 '${sql.raw(String(MAX_LATE_MS / LATE_SHARE))}' else 0 end) as bigint)`
}

/** The end user of a call, from 0: any of those that the partner had until then. */
const userOf = (call: RawBuilder<unknown>) =>
  sql`cast(floor(${fractionOf(call, 2)} * (1 + ${call} * float8 '${sql.raw(String(EVENTS_PER_PAIR / 2 / EVENTS_PER_USER))}')) as bigint)`

const dayOfTime = (time: RawBuilder<unknown>) => sql`(${time} / ${sql.lit(DAY_MS)})`
const weekOfTime = (time: RawBuilder<unknown>) => sql`((${time} / ${sql.lit(DAY_MS)} + 3) / 7)`

/** The request id of a call; calls are numbered from 1. */
export function requestIdOf(call: number): string {
  return `req_${createHash('md5').update(`call ${call}`).digest('hex').slice(0, 24)}`
}

export function endUserOf(user: number): string {
  return createHash('sha256').update(`user ${user}`).digest('hex')
}

async function insertScope(db: Database): Promise<void> {
  const { organizationId, environment } = SCOPE
  await db
    .insertInto('organizations')
    .values({ id: organizationId, name: 'Synthetic', plan: 'free', created_at: 0 })
    .execute()
  await db
    .insertInto('event_scopes')
    .values({ id: 1, organization_id: organizationId, environment })
    .execute()
}

/** The five events of each pair: their place, kind, call, and the index of their opener. */
const PLACES = sql`(values
  (0, 'opener_sent', 1, 0), (1, 'conversation_reply', 1, 0),
  (2, 'opener_sent', 2, 0), (3, 'opener_sent', 2, 1), (4, 'conversation_reply', 2, 1)
) as places (place, kind, call, opener)`
const K = sql`k`
const CALL = sql`(2 * k + places.call)`
const POSITION = sql`(${pairStart(K)} + place)`
/** One pair in three does not say which opener. */
const INDEX = sql`case when k % 3 <> 0 then cast((k + opener) % 3 as integer) end`

async function fillEvents(db: Database, pairs: number, events: number): Promise<void> {
  const time = timeOf(POSITION, events)
  const table = {
    table: 'events',
    without: [
      'drop index events_by_call',
      'drop index events_by_end_user',
      'drop index events_by_time',
    ],
    thenAdd: [
      'create index events_by_call on events (call_id)',
      'create index events_by_end_user on events (end_user_id)',
      'create index events_by_time on events using brin (happened_at int8_minmax_multi_ops)',
    ],
  }
  await refillTable(db, table, (transaction) =>
    inChunks(pairs, (from, to) =>
      sql`
        insert into events (scope_id, idempotency_key, event, happened_at, received_at, call_id, opener_index, end_user_id)
        select 1, decode(md5('event ' || ${POSITION}), 'hex'), kind, ${time}, ${time} + 1000, ${CALL}, ${INDEX}, ${userOf(CALL)} + 1
        from generate_series(cast(${sql.lit(from)} as bigint), ${sql.lit(to)}) as k cross join ${PLACES}
      `.execute(transaction),
    ),
  )
}

async function fillKeys(db: Database, events: number): Promise<void> {
  const table = {
    table: 'event_keys',
    without: ['alter table event_keys drop constraint event_keys_pk'],
    thenAdd: [
      'alter table event_keys add constraint event_keys_pk primary key (scope_id, idempotency_key)',
    ],
  }
  await refillTable(db, table, (transaction) =>
    inChunks(events, (from, to) =>
      sql`
        insert into event_keys select 1, decode(md5('event ' || p), 'hex')
        from generate_series(cast(${sql.lit(from)} as bigint), ${sql.lit(to)}) as p
      `.execute(transaction),
    ),
  )
}

async function fillOutcomes(db: Database, pairs: number, events: number): Promise<void> {
  const table = {
    table: 'opener_outcomes',
    without: ['alter table opener_outcomes drop constraint opener_outcomes_pk'],
    thenAdd: [
      'alter table opener_outcomes add constraint opener_outcomes_pk primary key (call_id, opener_index)',
    ],
  }
  const dayAt = (place: number) =>
    dayOfTime(timeOf(sql`(${pairStart(K)} + ${sql.lit(place)})`, events))
  await refillTable(db, table, (transaction) =>
    inChunks(pairs, (from, to) =>
      sql`
        insert into opener_outcomes (call_id, opener_index, sent_day, replied, replied_day)
        select 2 * k + call, case when k % 3 <> 0 then (k + opener) % 3 else -1 end, sent, replied, reply_day
        from generate_series(cast(${sql.lit(from)} as bigint), ${sql.lit(to)}) as k
        cross join lateral (values
          (1, 0, ${dayAt(0)}, 1, ${dayAt(1)}),
          (2, 0, ${dayAt(2)}, case when k % 3 = 0 then 1 else 0 end, case when k % 3 = 0 then ${dayAt(4)} end),
          (2, 1, ${dayAt(3)}, 1, ${dayAt(4)})
        ) as outcomes (call, opener, sent, replied, reply_day)
        where k % 3 <> 0 or opener = 0
      `.execute(transaction),
    ),
  )
}

/** End users, their weeks, and the cohorts of retention. */
async function fillEndUsers(db: Database, pairs: number, events: number): Promise<void> {
  const table = {
    table: 'end_users',
    without: [
      'alter table end_users drop constraint end_users_uq',
      'alter table end_user_weeks drop constraint end_user_weeks_pk',
    ],
    thenAdd: [
      'alter table end_users add constraint end_users_uq unique (scope_id, hash)',
      'alter table end_user_weeks add constraint end_user_weeks_pk primary key (end_user_id, week)',
      `select setval(pg_get_serial_sequence('end_users', 'id'), (select max(id) from end_users))`,
    ],
  }
  const callOf = sql`(2 * k + call)`
  const time = timeOf(sql`(${pairStart(K)} + place)`, events)
  await refillTable(db, table, async (transaction) => {
    await sql`
      insert into end_user_weeks
      select distinct user_id, week from (
        select ${userOf(callOf)} + 1 as user_id, ${weekOfTime(time)} as week
        from generate_series(0::bigint, ${sql.lit(pairs - 1)}) as k
        cross join (values (1, 0), (1, 1), (2, 2), (2, 3), (2, 4)) as places (call, place)
      ) as active order by user_id, week
    `.execute(transaction)
    await sql`
      insert into end_users (id, scope_id, hash, first_week)
      select end_user_id, 1, sha256(convert_to('user ' || end_user_id - 1, 'UTF8')), min(week)
      from end_user_weeks group by end_user_id order by end_user_id
    `.execute(transaction)
    await sql`
      insert into retention_cohorts (scope_id, first_week, week, users)
      select 1, first_week, week, count(*) from end_user_weeks join end_users on id = end_user_id
      group by first_week, week
    `.execute(transaction)
  })
}

async function listTables(db: Database): Promise<{ tablename: string }[]> {
  const { rows } = await sql<{ tablename: string }>`
    select tablename from pg_tables where schemaname = 'public'
  `.execute(db)
  return rows
}
