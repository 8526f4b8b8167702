import { sql } from 'kysely'
import type { Database } from '../../../database/open-database.js'
import { ensureScopeId, type EventScope } from '../../../events/event-scope.js'
import { toStoredOpeners, toStoredSelection } from '../../../events/written-openers.js'
import { BUCKETS } from '../../../learning/uplift.js'
import { OPENER_DETAILS } from '../../../openers/opener-traits.js'
import { STYLE_NAMES, TONES, type Style } from '../../../openers/styles.js'

const OPENERS_PER_CALL = 3
/** Calls differ in tone, openers and traits by these. */
const VARIANTS = 997
const CONTROL_BUCKETS = BUCKETS / 10
const CHUNK_CALLS = 100_000

export interface Filling {
  scope: EventScope
  openers: number
  /** The openers are spread evenly over the days from `firstDay` to `lastDay`, in days since the epoch. */
  firstDay: number
  lastDay: number
}

/**
 * Writes calls with three openers each, all of them sent, of which one in five got a reply on the next day: by SQL, because
 * the real ingest would take hours. The counts of the learner stay empty.
 */
export async function fillOpeners(db: Database, filling: Filling): Promise<void> {
  const { scope, openers, firstDay, lastDay } = filling
  const scopeId = await ensureScopeId(db, scope)
  const calls = Math.ceil(openers / OPENERS_PER_CALL)
  await writeVariants(db)
  for (let from = 1; from <= calls; from += CHUNK_CALLS) {
    const to = Math.min(calls, from + CHUNK_CALLS - 1)
    // Numbers are bound as reals.
    const day = sql`cast(${firstDay} + n * ${lastDay - firstDay + 1} / ${calls + 1} as integer)`
    await sql`
      with recursive numbers (n) as (select ${from} union all select n + 1 from numbers where n < ${to})
      insert into service_calls (id, scope_id, request_id, capability, created_at, tone, openers, selection)
      select n, ${scopeId}, 'req_' || n, 'conversation.openers', ${day} * 86400000, tone, openers, selection
      from numbers
      join temp.openers_variants on openers_variants.id = (n * 7919) % ${VARIANTS}
      join temp.selection_variants on selection_variants.id = (n * 6007) % ${BUCKETS}
    `.execute(db)
    await sql`
      with recursive numbers (n) as (select ${from} union all select n + 1 from numbers where n < ${to})
      insert into opener_outcomes (call_id, opener_index, sent_day, replied, replied_day)
      select n, value, ${day}, (n * 31 + value * 17) % 5 = 0, iif((n * 31 + value * 17) % 5 = 0, ${day} + 1, null)
      from numbers cross join json_each('[0, 1, 2]')
    `.execute(db)
  }
}

async function writeVariants(db: Database): Promise<void> {
  const styles = STYLE_NAMES
  const openers = Array.from({ length: VARIANTS }, (_, id) => {
    const ofCall = [0, 1, 2].map((index) => styles[(id + index) % styles.length] as Style)
    const traits = ofCall.map((_style, index) => ({
      isQuestion: (id + index) % 2 === 0,
      detail: OPENER_DETAILS[(id >> index) % OPENER_DETAILS.length] as (typeof OPENER_DETAILS)[0],
      score: 0.5 + ((id * (index + 3)) % 50) / 100,
    }))
    const written = ofCall.map((style, index) => ({
      style,
      length: 30 + ((id * 13 + index * 7) % 90),
    }))
    return [id, TONES[id % TONES.length], toStoredOpeners(written, traits)]
  })
  const selections = Array.from({ length: BUCKETS }, (_, bucket) => {
    const arm = bucket < CONTROL_BUCKETS ? 'control' : 'learned'
    const probabilities = arm === 'control' ? null : [0.4, 0.5, 1]
    return [bucket, toStoredSelection({ arm, bucket, styles: styles.slice(0, 3), probabilities })]
  })
  await sql`create temp table openers_variants (id integer primary key, tone, openers)`.execute(db)
  await sql`
    insert into openers_variants select value ->> 0, value ->> 1, value ->> 2
    from json_each(${JSON.stringify(openers)})
  `.execute(db)
  await sql`create temp table selection_variants (id integer primary key, selection)`.execute(db)
  await sql`
    insert into selection_variants select value ->> 0, value ->> 1
    from json_each(${JSON.stringify(selections)})
  `.execute(db)
}
