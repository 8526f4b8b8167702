import { sql } from 'kysely'
import type { Database } from '../database/open-database.js'
import { rowsOf } from '../database/rows-of.js'
import { weekOf } from './calendar.js'
import type { PartnerEvent } from './partner-event.js'
import { Tally } from './tally.js'

/**
 * Updates the retention counts with new events, and stores end users that are new.
 * @returns the id of each end user by hash
 */
export async function countActivity(
  db: Database,
  scopeId: number,
  events: readonly PartnerEvent[],
): Promise<Map<string, number>> {
  const weeksByHash = collectWeeks(events)
  const endUsers = await ensureEndUsers(db, scopeId, weeksByHash)
  const cohorts = new Tally()
  await moveToEarlierCohort(
    db,
    endUsers.filter((endUser) => endUser.earliest < endUser.firstWeek),
    cohorts,
  )
  const firstWeeks = new Map(
    endUsers.map(({ id, firstWeek, earliest }) => [id, Math.min(firstWeek, earliest)]),
  )
  for (const row of await insertWeeks(db, endUsers)) {
    cohorts.add([firstWeeks.get(row.end_user_id) as number, row.week], [1])
  }
  await addToCohorts(db, scopeId, cohorts)
  return new Map(endUsers.map(({ hash, id }) => [hash, id]))
}

/**
 * Removes an end user from the retention counts and deletes it.
 * @returns the number of weeks in which it had events
 */
export async function forgetEndUser(
  db: Database,
  scopeId: number,
  endUserId: number,
): Promise<number> {
  const weeks = await db
    .deleteFrom('end_user_weeks')
    .where('end_user_id', '=', endUserId)
    .returning('week')
    .execute()
  const { first_week } = await db
    .deleteFrom('end_users')
    .where('id', '=', endUserId)
    .returning('first_week')
    .executeTakeFirstOrThrow()
  const cohorts = new Tally()
  for (const { week } of weeks) cohorts.add([first_week, week], [-1])
  await addToCohorts(db, scopeId, cohorts)
  return weeks.length
}

interface ActiveEndUser {
  id: number
  hash: string
  /** Week of the first event that was stored before. */
  firstWeek: number
  /** Weeks of the new events. */
  weeks: ReadonlySet<number>
  /** The first of `weeks`. */
  earliest: number
}

function collectWeeks(events: readonly PartnerEvent[]): Map<string, Set<number>> {
  const weeksByHash = new Map<string, Set<number>>()
  for (const { endUserHash, happenedAt } of events) {
    const week = weekOf(happenedAt)
    const weeks = weeksByHash.get(endUserHash)
    if (weeks) weeks.add(week)
    else weeksByHash.set(endUserHash, new Set([week]))
  }
  return weeksByHash
}

async function ensureEndUsers(
  db: Database,
  scopeId: number,
  weeksByHash: ReadonlyMap<string, ReadonlySet<number>>,
): Promise<ActiveEndUser[]> {
  const wanted = [...weeksByHash].map(([hash, weeks]) => ({
    hash,
    weeks,
    earliest: Math.min(...weeks),
  }))
  const added = wanted.map(({ hash, earliest }) => [hash, earliest])
  await sql`
    insert into end_users (scope_id, hash, first_week)
    select ${scopeId}, hash, earliest
    from ${rowsOf(db, added, { hash: 'hex', earliest: 'integer' })} as added where true
    on conflict (scope_id, hash) do nothing
  `.execute(db)
  const hashes = wanted.map(({ hash }) => [hash])
  const { rows } = await sql<{ position: number; id: number; first_week: number }>`
    select wanted.position, end_user.id, end_user.first_week
    from ${rowsOf(db, hashes, { hash: 'hex' })} as wanted
    cross join end_users as end_user
    where end_user.scope_id = ${scopeId} and end_user.hash = wanted.hash
  `.execute(db)
  return rows.flatMap(({ position, id, first_week: firstWeek }) => {
    const endUser = wanted[position]
    return endUser ? [{ ...endUser, id, firstWeek }] : []
  })
}

/** Moves end users, with all their weeks, to the cohort of an event that is earlier than any stored one. */
async function moveToEarlierCohort(
  db: Database,
  moved: readonly ActiveEndUser[],
  cohorts: Tally,
): Promise<void> {
  if (moved.length === 0) return
  const byId = new Map(moved.map((endUser) => [endUser.id, endUser]))
  const ids = moved.map(({ id }) => [id])
  const firstWeeks = moved.map(({ id, earliest }) => [id, earliest])
  const { rows } = await sql<WeekRow>`
    select active.end_user_id, active.week
    from ${rowsOf(db, ids, { id: 'integer' })} as wanted
    cross join end_user_weeks as active
    where active.end_user_id = wanted.id
  `.execute(db)
  for (const { end_user_id, week } of rows) {
    const { firstWeek, earliest } = byId.get(end_user_id) as ActiveEndUser
    cohorts.add([firstWeek, week], [-1])
    cohorts.add([earliest, week], [1])
  }
  await sql`
    update end_users set first_week = moved.earliest
    from ${rowsOf(db, firstWeeks, { id: 'integer', earliest: 'integer' })} as moved
    where end_users.id = moved.id
  `.execute(db)
}

interface WeekRow {
  end_user_id: number
  week: number
}

/** Inserts active weeks and returns those that are new. */
async function insertWeeks(db: Database, endUsers: readonly ActiveEndUser[]): Promise<WeekRow[]> {
  const active = endUsers.flatMap(({ id, weeks }) => [...weeks].map((week) => [id, week]))
  const { rows } = await sql<WeekRow>`
    insert into end_user_weeks (end_user_id, week)
    select id, week
    from ${rowsOf(db, active, { id: 'integer', week: 'integer' })} as active where true
    on conflict (end_user_id, week) do nothing
    returning end_user_id, week
  `.execute(db)
  return rows
}

async function addToCohorts(db: Database, scopeId: number, cohorts: Tally): Promise<void> {
  const columns = { first_week: 'integer', week: 'integer', users: 'integer' } as const
  await sql`
    insert into retention_cohorts (scope_id, first_week, week, users)
    select ${scopeId}, first_week, week, users
    from ${rowsOf(db, cohorts.rows(), columns)} as added where true
    on conflict (scope_id, first_week, week) do update
    set users = retention_cohorts.users + excluded.users
  `.execute(db)
}
