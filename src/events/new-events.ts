import { sql } from 'kysely'
import type { Database } from '../database/open-database.js'
import { rowsOf } from '../database/rows-of.js'
import type { PartnerEvent } from './partner-event.js'

/** The events whose keys are not stored yet. The caller must store them before another transaction can store events. */
export async function excludeStored(
  db: Database,
  scopeId: number,
  events: readonly PartnerEvent[],
): Promise<PartnerEvent[]> {
  const { rows } = await sql<{ position: number }>`
    select wanted.position
    from ${keysOf(db, events)} as wanted
    cross join events
    where events.scope_id = ${scopeId} and events.idempotency_key = wanted.key
  `.execute(db)
  const stored = new Set(rows.map((row) => row.position))
  return events.filter((_event, position) => !stored.has(position))
}

/**
 * Stores the keys of events and returns the events whose keys are new. On PostgreSQL, where `events` is partitioned by time and
 * cannot hold a key that is unique for all times, `event_keys` holds them. A key that another transaction has stored but not
 * committed is waited for.
 */
export async function claimKeys(
  db: Database,
  scopeId: number,
  events: readonly PartnerEvent[],
): Promise<PartnerEvent[]> {
  const { rows } = await sql<{ key: Buffer }>`
    insert into event_keys (scope_id, idempotency_key)
    select cast(${scopeId} as integer), key from ${keysOf(db, events)} as wanted
    on conflict (scope_id, idempotency_key) do nothing
    returning idempotency_key as key
  `.execute(db)
  const added = new Set(rows.map(({ key }) => key.toString('hex')))
  return events.filter(({ key }) => added.has(key))
}

function keysOf(db: Database, events: readonly PartnerEvent[]) {
  return rowsOf(
    db,
    events.map(({ key }) => [key]),
    { key: 'hex' },
  )
}
