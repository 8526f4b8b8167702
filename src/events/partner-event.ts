import type { EventKind, EventRecord } from './events-contract.js'
import type { OriginatingCall, OriginatingCalls } from './originating-calls.js'

/** A record of a batch in the form in which it is stored and counted. */
export interface PartnerEvent {
  /** The UUID as 32 lower-case hex digits. */
  key: string
  kind: EventKind
  /** Milliseconds since the epoch. */
  happenedAt: number
  /** The partner's hash as 64 lower-case hex digits. */
  endUserHash: string
  call: OriginatingCall
  openerIndex: number | null
}

/** The events of a batch. Of several records with the same key, the first counts. */
export function toPartnerEvents(
  records: readonly EventRecord[],
  { byRequestId }: OriginatingCalls,
): PartnerEvent[] {
  const events = new Map<string, PartnerEvent>()
  for (const record of records) {
    const key = record.idempotency_key.replaceAll('-', '').toLowerCase()
    const call = byRequestId.get(record.context.originating_request_id)
    if (!call || events.has(key)) continue
    events.set(key, {
      key,
      kind: record.event,
      happenedAt: Date.parse(record.ts),
      endUserHash: record.end_user_id.toLowerCase(),
      call,
      openerIndex: record.context.opener_index ?? null,
    })
  }
  return [...events.values()]
}
