import type { Database } from '../database/open-database.js'
import { prepareQuery } from '../database/prepare-query.js'
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
  await insertRow(transaction, {
    scopeId: await ensureScopeId(transaction, call),
    requestId: call.requestId,
    capability: call.capability,
    createdAt: call.createdAt,
    tone: written?.tone ?? null,
    openers: written ? toStoredOpeners(written.openers, chosen?.traits) : null,
    selection: chosen ? toStoredSelection(chosen.selection) : null,
  })
}

interface CallRow extends Pick<AnsweredCall, 'requestId' | 'capability' | 'createdAt'> {
  scopeId: number
  tone: Tone | null
  openers: string | null
  selection: string | null
}

const insertRow = prepareQuery((db, value: CallRow) =>
  db
    .insertInto('service_calls')
    .values({
      scope_id: value.scopeId,
      request_id: value.requestId,
      capability: value.capability,
      created_at: value.createdAt,
      tone: value.tone,
      openers: value.openers,
      selection: value.selection,
    })
    .onConflict((conflict) => conflict.column('request_id').doNothing()),
)
