import { sql } from 'kysely'
import type { Database } from '../database/open-database.js'
import { dayOf } from './calendar.js'
import { shareAmongStyles, UNNAMED_OPENER, type OpenerOutcome } from './opener-shares.js'
import type { OriginatingCall } from './originating-calls.js'
import type { PartnerEvent } from './partner-event.js'
import { Tally } from './tally.js'

/** The parts of an event that reply rates depend on. */
export type CountedEvent = Pick<PartnerEvent, 'kind' | 'happenedAt' | 'call' | 'openerIndex'>

/** Updates the reply rate counts with new events. */
export async function countOutcomes(
  db: Database,
  scopeId: number,
  events: readonly CountedEvent[],
): Promise<void> {
  const calls = new Map(events.map(({ call }) => [call.id, call]))
  const outcomes = await readOutcomes(db, [...calls.keys()])
  const days = new Tally()
  for (const call of calls.values()) addShares(days, { call, outcomes, sign: -1 })
  const changed = new Map<string, [callId: number, index: number]>()
  for (const event of events) {
    const index = event.openerIndex ?? UNNAMED_OPENER
    const ofCall = getOrAdd(outcomes, event.call.id)
    ofCall.set(index, withEvent(ofCall.get(index), event))
    changed.set(`${event.call.id} ${index}`, [event.call.id, index])
  }
  for (const call of calls.values()) addShares(days, { call, outcomes, sign: 1 })
  await writeOutcomes(db, outcomes, [...changed.values()])
  await addToDays(db, scopeId, days)
}

/**
 * Removes calls from the reply rate counts, as if they had no events. The caller must count their remaining events again in
 * the same transaction.
 */
export async function forgetOutcomes(
  db: Database,
  scopeId: number,
  calls: readonly OriginatingCall[],
): Promise<void> {
  const callIds = calls.map(({ id }) => id)
  const outcomes = await readOutcomes(db, callIds)
  const days = new Tally()
  for (const call of calls) addShares(days, { call, outcomes, sign: -1 })
  await sql`
    delete from opener_outcomes where call_id in (select value from json_each(${JSON.stringify(callIds)}))
  `.execute(db)
  await addToDays(db, scopeId, days)
}

/** Outcomes by call id, then by opener index. */
type Outcomes = Map<number, Map<number, OpenerOutcome>>

function getOrAdd(outcomes: Outcomes, callId: number): Map<number, OpenerOutcome> {
  const known = outcomes.get(callId)
  if (known) return known
  const added = new Map<number, OpenerOutcome>()
  outcomes.set(callId, added)
  return added
}

function withEvent(known: OpenerOutcome | undefined, event: CountedEvent): OpenerOutcome {
  const { sentDay, replied } = known ?? { sentDay: null, replied: false }
  if (event.kind === 'conversation_reply') return { sentDay, replied: true }
  return { sentDay: Math.min(sentDay ?? Infinity, dayOf(event.happenedAt)), replied }
}

function addShares(
  days: Tally,
  { call, outcomes, sign }: { call: OriginatingCall; outcomes: Outcomes; sign: 1 | -1 },
): void {
  const { id, tone, styles } = call
  if (tone === null) return
  for (const { day, style, sent, replied } of shareAmongStyles(
    styles,
    outcomes.get(id) ?? new Map(),
  )) {
    days.add([day, tone, style], [sign * sent, sign * replied])
  }
}

interface OutcomeRow {
  call_id: number
  opener_index: number
  sent_day: number | null
  replied: number
}

async function readOutcomes(db: Database, callIds: readonly number[]): Promise<Outcomes> {
  const { rows } = await sql<OutcomeRow>`
    select outcome.call_id, outcome.opener_index, outcome.sent_day, outcome.replied
    from json_each(${JSON.stringify(callIds)}) as wanted
    cross join opener_outcomes as outcome
    where outcome.call_id = wanted.value
  `.execute(db)
  const outcomes: Outcomes = new Map()
  for (const row of rows) {
    const outcome = { sentDay: row.sent_day, replied: row.replied === 1 }
    getOrAdd(outcomes, row.call_id).set(row.opener_index, outcome)
  }
  return outcomes
}

async function writeOutcomes(
  db: Database,
  outcomes: Outcomes,
  changed: readonly (readonly [callId: number, index: number])[],
): Promise<void> {
  const rows = changed.map(([callId, index]) => {
    const outcome = outcomes.get(callId)?.get(index)
    return [callId, index, outcome?.sentDay, Number(outcome?.replied)]
  })
  await sql`
    insert into opener_outcomes (call_id, opener_index, sent_day, replied)
    select value ->> 0, value ->> 1, value ->> 2, value ->> 3
    from json_each(${JSON.stringify(rows)}) where true
    on conflict (call_id, opener_index) do update
    set sent_day = excluded.sent_day, replied = excluded.replied
  `.execute(db)
}

async function addToDays(db: Database, scopeId: number, days: Tally): Promise<void> {
  await sql`
    insert into reply_rate_days (scope_id, day, tone, style, sent, replied)
    select ${scopeId}, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4
    from json_each(${JSON.stringify(days.rows())}) where true
    on conflict (scope_id, day, tone, style) do update
    set sent = sent + excluded.sent, replied = replied + excluded.replied
  `.execute(db)
}
