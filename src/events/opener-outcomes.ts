import { sql } from 'kysely'
import type { Database } from '../database/open-database.js'
import { rowsOf } from '../database/rows-of.js'
import { dayOf } from './calendar.js'
import { NOTHING_REPORTED, type OpenerOutcome } from './opener-shares.js'
import type { PartnerEvent } from './partner-event.js'

/** Outcomes by call id, then by opener index. */
export type Outcomes = Map<number, Map<number, OpenerOutcome>>

export function outcomesOf(outcomes: Outcomes, callId: number): Map<number, OpenerOutcome> {
  const known = outcomes.get(callId)
  if (known) return known
  const added = new Map<number, OpenerOutcome>()
  outcomes.set(callId, added)
  return added
}

/** The outcome after one more event; the order of events does not matter. */
export function withEvent(
  known: OpenerOutcome | undefined,
  { kind, happenedAt }: Pick<PartnerEvent, 'kind' | 'happenedAt'>,
): OpenerOutcome {
  const { sentDay, replied, repliedDay } = known ?? NOTHING_REPORTED
  const day = dayOf(happenedAt)
  return kind === 'opener_sent'
    ? { sentDay: Math.min(sentDay ?? day, day), replied, repliedDay }
    : { sentDay, replied: true, repliedDay: Math.min(repliedDay ?? day, day) }
}

interface OutcomeRow {
  call_id: number
  opener_index: number
  sent_day: number | null
  replied: number
  replied_day: number | null
}

export async function readOutcomes(db: Database, callIds: readonly number[]): Promise<Outcomes> {
  const { rows } = await sql<OutcomeRow>`
    select outcome.call_id, outcome.opener_index, outcome.sent_day, outcome.replied, outcome.replied_day
    from ${idsOf(db, callIds)} as wanted
    cross join opener_outcomes as outcome
    where outcome.call_id = wanted.id
  `.execute(db)
  const outcomes: Outcomes = new Map()
  for (const { call_id, opener_index, sent_day, replied, replied_day } of rows) {
    const outcome = { sentDay: sent_day, replied: replied === 1, repliedDay: replied_day }
    outcomesOf(outcomes, call_id).set(opener_index, outcome)
  }
  return outcomes
}

const COLUMNS = {
  call_id: 'integer',
  opener_index: 'integer',
  sent_day: 'integer',
  replied: 'integer',
  replied_day: 'integer',
} as const

export async function writeOutcomes(
  db: Database,
  outcomes: Outcomes,
  changed: readonly (readonly [callId: number, index: number])[],
): Promise<void> {
  const rows = changed.map(([callId, index]) => {
    const outcome = outcomes.get(callId)?.get(index)
    const { sentDay = null, repliedDay = null } = outcome ?? {}
    return [callId, index, sentDay, Number(outcome?.replied), repliedDay]
  })
  await sql`
    insert into opener_outcomes (call_id, opener_index, sent_day, replied, replied_day)
    select call_id, opener_index, sent_day, replied, replied_day
    from ${rowsOf(db, rows, COLUMNS)} as changed where true
    on conflict (call_id, opener_index) do update
    set sent_day = excluded.sent_day, replied = excluded.replied, replied_day = excluded.replied_day
  `.execute(db)
}

export async function deleteOutcomes(db: Database, callIds: readonly number[]): Promise<void> {
  await sql`
    delete from opener_outcomes where call_id in (select id from ${idsOf(db, callIds)} as gone)
  `.execute(db)
}

function idsOf(db: Database, ids: readonly number[]) {
  return rowsOf(
    db,
    ids.map((id) => [id]),
    { id: 'integer' },
  )
}
