import { sql } from 'kysely'
import type { Database } from '../../../database/open-database.js'
import { toStoredOpeners, toStoredSelection } from '../../../events/written-openers.js'
import { BUCKETS } from '../../../learning/uplift.js'
import { OPENER_DETAILS } from '../../../openers/opener-traits.js'
import { STYLE_NAMES, TONES } from '../../../openers/styles.js'
import { inChunks, refillTable } from './refill-table.js'
import { YEAR_END, YEAR_MS } from './synthetic-events.js'

/** Calls differ in tone, openers and traits by these. */
const VARIANTS = 997
/** These, the latest, were made while learning was on. The others are shorter, so that a year fits on the disk of a test machine. */
const LEARNING_PAIRS = 200_000
const YEAR_START = YEAR_END - YEAR_MS

/** Fills `service_calls` with two calls of each pair, numbered from 1. */
export async function fillCalls(db: Database, pairs: number, sparePairs: number): Promise<void> {
  const table = {
    table: 'service_calls',
    without: [
      'alter table service_calls drop constraint service_calls_request_id_key',
      'drop index service_calls_by_time',
    ],
    thenAdd: [
      'alter table service_calls add constraint service_calls_request_id_key unique (request_id)',
      'create index service_calls_by_time on service_calls using brin (created_at int8_minmax_multi_ops)',
      `select setval(pg_get_serial_sequence('service_calls', 'id'), ${2 * (pairs + sparePairs)})`,
    ],
  }
  const variants = describeVariants()
  const learningFrom = Math.max(0, pairs - LEARNING_PAIRS) * 2
  const createdAt = sql`cast(least(float8 '${sql.raw(String(YEAR_END))}',
    float8 '${sql.raw(String(YEAR_START))}' + calls.id * float8 '${sql.raw(String(YEAR_MS / (2 * pairs)))}') - 600000 as bigint)`
  await refillTable(db, table, async (transaction) => {
    await sql`create temp table variants (id integer, tone text, short text, openers text, selection text) on commit drop`.execute(
      transaction,
    )
    for (const row of variants) {
      await sql`insert into variants values (${sql.join(row)})`.execute(transaction)
    }
    await sql`analyze variants`.execute(transaction)
    await inChunks(2 * (pairs + sparePairs), (from, to) =>
      sql`
        insert into service_calls (id, scope_id, request_id, capability, created_at, tone, openers, selection)
        select calls.id, 1, 'req_' || substr(md5('call ' || calls.id), 1, 24), 'conversation.openers', ${sql`${createdAt}`},
          tone, case when calls.id > ${sql.lit(learningFrom)} then openers else short end,
          case when calls.id > ${sql.lit(learningFrom)} then selection end
        from generate_series(cast(${sql.lit(from + 1)} as bigint), ${sql.lit(to + 1)}) as calls (id)
        join variants on variants.id = calls.id * 7919 % ${sql.lit(VARIANTS)}
      `.execute(transaction),
    )
  })
}

function describeVariants(): (number | string)[][] {
  return Array.from({ length: VARIANTS }, (_, id) => {
    const written = [0, 1, 2].map((index) => ({
      style: STYLE_NAMES[(id + index) % STYLE_NAMES.length]!,
      length: 30 + ((id * 13 + index * 7) % 90),
    }))
    const traits = written.map((_opener, index) => ({
      isQuestion: (id + index) % 2 === 0,
      detail: OPENER_DETAILS[(id >> index) % OPENER_DETAILS.length]!,
      score: 0.5 + ((id * (index + 3)) % 50) / 100,
    }))
    const selection = {
      arm: id % 10 === 0 ? 'control' : 'learned',
      bucket: id % BUCKETS,
      styles: STYLE_NAMES.slice(0, 3),
      probabilities: id % 10 === 0 ? null : [0.4, 0.5, 1],
    } as const
    return [
      id,
      TONES[id % TONES.length]!,
      toStoredOpeners(written),
      toStoredOpeners(written, traits),
      toStoredSelection(selection),
    ]
  })
}
