import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { isPostgres } from '../database/dialect.js'
import type { Database } from '../database/open-database.js'
import { rowsOf } from '../database/rows-of.js'
import type { EventKind } from './events-contract.js'
import { toOriginatingCall, type CallRow, type OriginatingCall } from './originating-calls.js'

/** Scanned per query, which takes a few milliseconds. */
const SLICE_ROWS = 20_000

/** An event as it was stored, with the call that counting it needs. */
export interface StoredEvent {
  /** The 16 bytes of the UUID. */
  key: Buffer
  kind: EventKind
  happenedAt: number
  call: OriginatingCall
  openerIndex: number | null
}

/** The id is that of the call. */
interface EventRow extends CallRow {
  idempotency_key: Buffer
  event: EventKind
  happened_at: number
  opener_index: number | null
}

/**
 * The events of a scope that match a condition on their columns. PostgreSQL has indexes for conditions on calls and end users;
 * SQLite scans all events of the scope, a slice at a time.
 */
export async function* readStoredEvents(
  db: Database,
  scopeId: number,
  where: RawBuilder<SqlBool>,
): AsyncGenerator<StoredEvent> {
  if (!isPostgres(db)) return yield* readBySlices(db, scopeId, where)
  const { rows } = await selectEvents(db, scopeId, where)
  for (const row of rows) yield toStoredEvent(row)
}

async function* readBySlices(
  db: Database,
  scopeId: number,
  where: RawBuilder<SqlBool>,
): AsyncGenerator<StoredEvent> {
  let after: Buffer = Buffer.alloc(0)
  for (;;) {
    const end = await findSliceEnd(db, scopeId, after)
    const upTo = end ? sql<SqlBool>`event.idempotency_key <= ${end}` : sql<SqlBool>`true`
    const slice = sql<SqlBool>`event.idempotency_key > ${after} and ${upTo} and ${where}`
    const { rows } = await selectEvents(db, scopeId, slice)
    for (const row of rows) yield toStoredEvent(row)
    if (!end) return
    after = end
  }
}

function selectEvents(db: Database, scopeId: number, where: RawBuilder<SqlBool>) {
  return sql<EventRow>`
    select
      event.idempotency_key, event.event, event.happened_at, event.opener_index,
      call.id, call.capability, call.tone, call.openers, call.selection
    from events as event cross join service_calls as call
    where event.scope_id = ${scopeId} and ${where} and call.id = event.call_id
  `.execute(db)
}

/** The last key of the slice that follows a key; undefined if the rest is less than a slice. */
async function findSliceEnd(
  db: Database,
  scopeId: number,
  after: Buffer,
): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('events')
    .select('idempotency_key')
    .where('scope_id', '=', scopeId)
    .where('idempotency_key', '>', after)
    .orderBy('idempotency_key')
    .limit(1)
    .offset(SLICE_ROWS - 1)
    .executeTakeFirst()
  return row?.idempotency_key
}

/** Deletes events without updating the counts. */
export async function deleteStoredEvents(
  db: Database,
  scopeId: number,
  events: readonly StoredEvent[],
): Promise<void> {
  const rows = events.map(({ key, call }) => [key.toString('hex'), call.id])
  const gone = rowsOf(db, rows, { key: 'hex', call: 'integer' })
  // SQLite finds the rows by their keys, PostgreSQL by their calls.
  await sql`
    delete from events where scope_id = ${scopeId}
    and idempotency_key in (select key from ${gone} as gone)
    and call_id in (select call from ${gone} as gone)
  `.execute(db)
}

function toStoredEvent(row: EventRow): StoredEvent {
  return {
    key: row.idempotency_key,
    kind: row.event,
    happenedAt: row.happened_at,
    call: toOriginatingCall(row),
    openerIndex: row.opener_index,
  }
}
