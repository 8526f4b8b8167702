import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { lockFor } from '../database/lock-for.js'
import type { Database } from '../database/open-database.js'
import { rowsOf } from '../database/rows-of.js'
import { transactDurably } from '../database/transact-durably.js'
import { forgetEndUser } from '../events/count-activity.js'
import { countOutcomes, forgetOutcomes } from '../events/count-outcomes.js'
import { findScopeId, type EventScope } from '../events/event-scope.js'
import { deleteStoredEvents, readStoredEvents, type StoredEvent } from '../events/stored-events.js'

/** Number of deleted records of an end user in one environment. */
export interface DeletedEndUser {
  events: number
  weeks: number
}

/**
 * Deletes an end user of one environment with all their events, and recounts the analytics without them: the reply rates
 * of the calls that the events refer to, and the retention of the user's cohort. Counts stay correct if a server stores
 * events meanwhile.
 * @param db - opened by `openErasureConnection`
 * @param hash - 64 hex digits
 * @returns undefined if the environment has no such end user
 */
export async function deleteEndUser(
  db: Database,
  scope: EventScope,
  hash: string,
): Promise<DeletedEndUser | undefined> {
  const scopeId = await findScopeId(db, scope)
  const endUser = await db
    .selectFrom('end_users')
    .select('id')
    .where('scope_id', '=', scopeId)
    .where('hash', '=', Buffer.from(hash, 'hex'))
    .executeTakeFirst()
  if (!endUser) return undefined
  const before = await deleteEventsOf(db, scopeId, endUser.id)
  const weeks = await transactDurably(db, async (transaction) => {
    await lockFor(transaction, 'events', scopeId)
    return forgetEndUser(transaction, scopeId, endUser.id)
  })
  // No new event can refer to the deleted id. This deletes events stored since the first pass.
  const after = await deleteEventsOf(db, scopeId, endUser.id)
  return { events: before + after, weeks }
}

async function deleteEventsOf(db: Database, scopeId: number, endUserId: number): Promise<number> {
  const own = await readAll(db, scopeId, sql`event.end_user_id = ${endUserId}`)
  if (own.length === 0) return 0
  const calls = [...new Map(own.map(({ call }) => [call.id, call])).values()]
  const ids = calls.map(({ id }) => [id])
  const ofCalls = sql`select id from ${rowsOf(db, ids, { id: 'integer' })} as wanted`
  const readOthers = () =>
    readAll(db, scopeId, sql`event.end_user_id <> ${endUserId} and event.call_id in (${ofCalls})`)
  const others = await readOthers()
  await transactDurably(db, async (transaction) => {
    await lockFor(transaction, 'events', scopeId)
    await deleteStoredEvents(transaction, scopeId, own)
    await forgetOutcomes(transaction, scopeId, calls)
    if (others.length > 0) await countOutcomes(transaction, scopeId, others)
  })
  // Counting an event twice has no effect, so this only adds events that were stored since the first read.
  const late = await readOthers()
  if (late.length > 0) {
    await transactDurably(db, async (transaction) => {
      await lockFor(transaction, 'events', scopeId)
      await countOutcomes(transaction, scopeId, late)
    })
  }
  return own.length
}

async function readAll(
  db: Database,
  scopeId: number,
  where: RawBuilder<SqlBool>,
): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  for await (const event of readStoredEvents(db, scopeId, where)) events.push(event)
  return events
}
