import { sql } from 'kysely'
import type { Database } from '../database/open-database.js'
import { prepareSql } from '../database/prepare-query.js'
import type { ChosenOpeners } from '../openers/openers-call.js'
import type { Style, Tone } from '../openers/styles.js'
import type { Capability } from '../organizations/capability.js'
import { ensureScopeId, type EventScope } from './event-scope.js'
import { toStoredOpeners, toStoredSelection } from './written-openers.js'

/** A call that was answered, at least in part. Events may refer to it. */
export interface AnsweredCall extends EventScope {
  requestId: string
  capability: Capability
  /** Milliseconds since the epoch. */
  createdAt: number
  /** The tone and the openers of a call for openers, in the order of the answer. Their text is not stored. */
  written?: { tone: Tone; openers: readonly { style: Style; length: number }[] } | undefined
  /** How its openers were chosen; undefined while learning is off, for synthetic openers and for other calls. */
  chosen?: ChosenOpeners | undefined
}

/**
 * Records a call, so that events can refer to it. A charged call is recorded in the transaction that charges it, so that
 * neither is stored without the other. Recording a call again does nothing.
 */
export async function recordCall(transaction: Database, call: AnsweredCall): Promise<void> {
  const { written, chosen } = call
  const row: CallRow = {
    organizationId: call.organizationId,
    environment: call.environment,
    requestId: call.requestId,
    capability: call.capability,
    createdAt: call.createdAt,
    tone: written?.tone ?? null,
    openers: written ? toStoredOpeners(written.openers, chosen?.traits) : null,
    selection: chosen ? toStoredSelection(chosen.selection) : null,
  }
  if ((await insertRow(transaction, row)).numAffectedRows === 1n) return
  // Either it is stored already, or it is the first of its scope.
  await ensureScopeId(transaction, call)
  await insertRow(transaction, row)
}

interface CallRow extends EventScope, Pick<AnsweredCall, 'requestId' | 'capability' | 'createdAt'> {
  tone: Tone | null
  openers: string | null
  selection: string | null
}

/** One affected row, or none if the scope has no id yet or the call is stored already. */
const insertRow = prepareSql(
  (_db, value: CallRow) => sql`
    insert into service_calls (scope_id, request_id, capability, created_at, tone, openers, selection)
    select id, ${value.requestId}, ${value.capability}, ${value.createdAt}, ${value.tone}, ${value.openers}, ${value.selection}
    from event_scopes where organization_id = ${value.organizationId} and environment = ${value.environment}
    on conflict (request_id) do nothing`,
)
