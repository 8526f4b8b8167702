import { sql } from 'kysely'
import type { Database } from '../database/open-database.js'
import { rowsOf } from '../database/rows-of.js'
import type { Selection } from '../openers/opener-policy.js'
import type { Tone } from '../openers/styles.js'
import type { Capability } from '../organizations/capability.js'
import { findScopeId, type EventScope } from './event-scope.js'
import type { EventRecord } from './events-contract.js'
import { refuseRecords, type RecordProblem } from './refuse-records.js'
import { parseSelection, parseStoredOpeners, type StoredOpener } from './written-openers.js'

/** Allows for clocks that differ, and for streamed openers, which are sent before their call ends. */
const MAX_BEHIND_MS = 5 * 60 * 1_000

/** The call that an event refers to. */
export interface OriginatingCall {
  id: number
  capability: Capability
  /** Null unless it was a call for openers. */
  tone: Tone | null
  /** By index; empty unless it was a call for openers. */
  openers: readonly StoredOpener[]
  /** Undefined for a call that was made while learning was off. */
  selection: Selection | undefined
}

interface DatedCall extends OriginatingCall {
  /** Milliseconds since the epoch. */
  createdAt: number
}

/** Calls by request id; all of one scope. */
export interface OriginatingCalls {
  scopeId: number
  byRequestId: ReadonlyMap<string, OriginatingCall>
}

interface OriginatingCallsQuery {
  scope: EventScope
  records: readonly EventRecord[]
  /** Earlier calls count as unknown; milliseconds since the epoch. */
  oldestCall: number | undefined
  /** Milliseconds since the epoch. */
  now: number
}

/**
 * The calls that the records of a batch refer to.
 * @throws ServiceError `invalid_request` if a record refers to a call or an opener that the scope does not have
 */
export async function getOriginatingCalls(
  db: Database,
  { scope, records, oldestCall = 0, now }: OriginatingCallsQuery,
): Promise<OriginatingCalls> {
  const scopeId = await findScopeId(db, scope)
  const requestIds = new Set(records.map((record) => record.context.originating_request_id))
  const byRequestId = await findCalls(db, { scopeId, requestIds: [...requestIds], oldestCall })
  refuseRecords(
    records.flatMap((record, index) => {
      const call = byRequestId.get(record.context.originating_request_id)
      const problem = findProblem(record, call, now)
      return problem ? [{ index, ...problem }] : []
    }),
  )
  return { scopeId, byRequestId }
}

function findProblem(
  record: EventRecord,
  call: DatedCall | undefined,
  now: number,
): Omit<RecordProblem, 'index'> | undefined {
  const field = 'context.originating_request_id'
  if (!call) {
    return {
      field,
      message: 'not the request_id of an answered call of this organisation in this environment',
    }
  }
  if (record.event === 'opener_sent' && call.capability !== 'conversation.openers') {
    return { field, message: 'opener_sent needs the request_id of a call for openers' }
  }
  // A call of the future was recorded before the clock was set back.
  if (Date.parse(record.ts) < Math.min(call.createdAt, now) - MAX_BEHIND_MS) {
    return { field: 'ts', message: 'must not be before the call that it refers to' }
  }
  const openerIndex = record.context.opener_index
  if (openerIndex !== undefined && openerIndex >= call.openers.length) {
    return { field: 'context.opener_index', message: 'the call gave no opener with this index' }
  }
  return undefined
}

interface CallsQuery {
  scopeId: number
  requestIds: readonly string[]
  oldestCall: number
}

/** The columns of a call that counting its events needs. */
export interface CallRow {
  id: number
  capability: Capability
  tone: Tone | null
  openers: string | null
  selection: string | null
}

export function toOriginatingCall(row: CallRow): OriginatingCall {
  return {
    id: row.id,
    capability: row.capability,
    tone: row.tone,
    openers: parseStoredOpeners(row.openers),
    selection: parseSelection(row.selection),
  }
}

async function findCalls(
  db: Database,
  { scopeId, requestIds, oldestCall }: CallsQuery,
): Promise<Map<string, DatedCall>> {
  const wanted = requestIds.map((id) => [id])
  // SQLite keeps the order of a cross join, so this is one index lookup per id.
  const { rows } = await sql<CallRow & { request_id: string; created_at: number }>`
    select
      call.id, call.request_id, call.capability, call.tone, call.openers, call.selection, call.created_at
    from ${rowsOf(db, wanted, { request_id: 'text' })} as wanted
    cross join service_calls as call
    where call.request_id = wanted.request_id and call.scope_id = ${scopeId}
      and call.created_at >= ${oldestCall}
  `.execute(db)
  return new Map(
    rows.map((row) => [row.request_id, { ...toOriginatingCall(row), createdAt: row.created_at }]),
  )
}
