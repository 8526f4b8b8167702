import { sql } from 'kysely'
import type { Database } from '../database/open-database.js'
import { rowsOf } from '../database/rows-of.js'
import { addToLearningCounts, LearningCounts } from './learning-counts.js'
import {
  deleteOutcomes,
  outcomesOf,
  readOutcomes,
  withEvent,
  writeOutcomes,
  type Outcomes,
} from './opener-outcomes.js'
import { shareAmongStyles, UNNAMED_OPENER, type CallOutcomes } from './opener-shares.js'
import type { OriginatingCall } from './originating-calls.js'
import type { PartnerEvent } from './partner-event.js'
import { Tally } from './tally.js'

/** The parts of an event that reply rates and learning depend on. */
export type CountedEvent = Pick<PartnerEvent, 'kind' | 'happenedAt' | 'call' | 'openerIndex'>

/** Updates the counts of reply rates and of learning with new events. */
export async function countOutcomes(
  db: Database,
  scopeId: number,
  events: readonly CountedEvent[],
): Promise<void> {
  const calls = [...new Map(events.map(({ call }) => [call.id, call])).values()]
  const outcomes = await readOutcomes(
    db,
    calls.map(({ id }) => id),
  )
  const counts = new OutcomeCounts()
  counts.addCalls(calls, outcomes, -1)
  const changed = new Map<string, [callId: number, index: number]>()
  for (const event of events) {
    const index = event.openerIndex ?? UNNAMED_OPENER
    const ofCall = outcomesOf(outcomes, event.call.id)
    ofCall.set(index, withEvent(ofCall.get(index), event))
    changed.set(`${event.call.id} ${index}`, [event.call.id, index])
  }
  counts.addCalls(calls, outcomes, 1)
  await writeOutcomes(db, outcomes, [...changed.values()])
  await counts.write(db, scopeId)
}

/**
 * Removes calls from the counts of reply rates and of learning, as if they had no events. The caller must count their
 * remaining events again in the same transaction.
 */
export async function forgetOutcomes(
  db: Database,
  scopeId: number,
  calls: readonly OriginatingCall[],
): Promise<void> {
  const callIds = calls.map(({ id }) => id)
  const counts = new OutcomeCounts()
  counts.addCalls(calls, await readOutcomes(db, callIds), -1)
  await deleteOutcomes(db, callIds)
  await counts.write(db, scopeId)
}

/** A call's shares are taken out of the counts with its old outcomes and put in again with the new ones. */
class OutcomeCounts {
  readonly #days = new Tally()
  readonly #learning = new LearningCounts()

  addCalls(calls: readonly OriginatingCall[], outcomes: Outcomes, sign: 1 | -1): void {
    for (const call of calls) {
      const ofCall = outcomesOf(outcomes, call.id)
      this.#addToDays(call, ofCall, sign)
      this.#learning.add(call, ofCall, sign)
    }
  }

  #addToDays({ tone, openers }: OriginatingCall, outcomes: CallOutcomes, sign: 1 | -1): void {
    if (tone === null) return
    const styles = openers.map((opener) => opener.style)
    for (const { day, style, sent, replied } of shareAmongStyles(styles, outcomes)) {
      this.#days.add([day, tone, style], [sign * sent, sign * replied])
    }
  }

  async write(db: Database, scopeId: number): Promise<void> {
    await addToReplyRateDays(db, scopeId, this.#days)
    await addToLearningCounts(db, scopeId, this.#learning)
  }
}

const REPLY_RATE_COLUMNS = {
  day: 'integer',
  tone: 'text',
  style: 'text',
  sent: 'integer',
  replied: 'integer',
} as const

async function addToReplyRateDays(db: Database, scopeId: number, days: Tally): Promise<void> {
  await sql`
    insert into reply_rate_days (scope_id, day, tone, style, sent, replied)
    select ${scopeId}, day, tone, style, sent, replied
    from ${rowsOf(db, days.rows(), REPLY_RATE_COLUMNS)} as added where true
    on conflict (scope_id, day, tone, style) do update set
      sent = reply_rate_days.sent + excluded.sent,
      replied = reply_rate_days.replied + excluded.replied
  `.execute(db)
}
