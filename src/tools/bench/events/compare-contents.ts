import { sql, type RawBuilder } from 'kysely'
import { isPostgres } from '../../../database/dialect.js'
import type { Database } from '../../../database/open-database.js'

/** Rows that are read at a time. */
const SLICE = 20_000

export interface ComparedTable {
  table: string
  rows: number
  /** The first row that only one of the databases has, as a text. */
  difference?: string
}

/**
 * Compares everything that events leave in two databases, row by row. Each row is a text in which generated ids are replaced by what they stand
 * for: the request id of a call, the hash of an end user. Left out are the time at which the server stored an event, which differs between
 * any two runs, and rows of counts whose counts are all zero, which tell the order of arrival: an opener that was reported
 * for a day, and later for an earlier one, leaves such a row at the first. Each database holds the events of one partner only.
 */
export async function compareContents(left: Database, right: Database): Promise<ComparedTable[]> {
  const compared: ComparedTable[] = []
  for (const table of Object.keys(TABLES)) compared.push(await compareTable(table, left, right))
  return compared
}

async function compareTable(
  table: string,
  left: Database,
  right: Database,
): Promise<ComparedTable> {
  const [mine, others] = [
    readLines(left, TABLES[table]!(left)),
    readLines(right, TABLES[table]!(right)),
  ]
  for (let rows = 0; ; rows++) {
    const [line, other] = [(await mine.next()).value, (await others.next()).value]
    if (line === undefined && other === undefined) return { table, rows }
    if (line === other) continue
    const isMine = other === undefined || (line !== undefined && line < other)
    await mine.return(undefined)
    await others.return(undefined)
    return { table, rows, difference: isMine ? line : other }
  }
}

/** Lines in the order of their bytes, each distinct. */
async function* readLines(
  db: Database,
  lines: RawBuilder<unknown>,
): AsyncGenerator<string, undefined> {
  let after = ''
  for (;;) {
    const { rows } = await sql<{ line: string }>`
      select line from (${lines}) as lines where line > ${after} order by line limit ${sql.lit(SLICE)}
    `.execute(db)
    for (const { line } of rows) yield line
    if (rows.length < SLICE) return undefined
    after = rows.at(-1)!.line
  }
}

type Lines = (db: Database) => RawBuilder<unknown>

/** The columns of a row as one text; ordered byte by byte on both databases. */
function line(db: Database, columns: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  const texts = columns.map((column) => sql`coalesce(cast(${column} as text), '-')`)
  const text = sql.join(texts, sql` || ' ' || `)
  return isPostgres(db) ? sql`(${text}) collate "C" as line` : sql`${text} as line`
}

function hex(db: Database, column: string): RawBuilder<unknown> {
  return isPostgres(db)
    ? sql`encode(${sql.ref(column)}, 'hex')`
    : sql`lower(hex(${sql.ref(column)}))`
}

/** A table of counts without its scope and without rows that count nothing. */
function counts(table: string, key: readonly string[], sums: readonly string[]): Lines {
  const columns = [...key, ...sums].map((name) => sql.ref(name))
  const isCounted = sql.join(
    sums.map((name) => sql`${sql.ref(name)} <> 0`),
    sql` or `,
  )
  return (db) => sql`select ${line(db, columns)} from ${sql.table(table)} where ${isCounted}`
}

const KEY_OF_EVENT = 'idempotency_key'
const TABLES: Record<string, Lines> = {
  events: (db) => sql`
    select ${line(db, [
      hex(db, `event.${KEY_OF_EVENT}`),
      sql`event.event`,
      sql`event.happened_at`,
      sql`call.request_id`,
      sql`event.opener_index`,
      hex(db, 'end_user.hash'),
    ])} from events as event
    join service_calls as call on call.id = event.call_id join end_users as end_user on end_user.id = event.end_user_id`,
  // On SQLite the keys of events are those in the table itself.
  'keys of events': (db) =>
    sql`select ${line(db, [hex(db, KEY_OF_EVENT)])} from ${sql.table(isPostgres(db) ? 'event_keys' : 'events')}`,
  opener_outcomes: (db) => sql`
    select ${line(
      db,
      ['call.request_id', 'opener_index', 'sent_day', 'replied', 'replied_day'].map((name) =>
        sql.ref(name),
      ),
    )} from opener_outcomes join service_calls as call on call.id = call_id`,
  end_users: (db) => sql`select ${line(db, [hex(db, 'hash'), sql`first_week`])} from end_users`,
  end_user_weeks: (db) => sql`
    select ${line(db, [hex(db, 'hash'), sql`week`])} from end_user_weeks
    join end_users on end_users.id = end_user_id`,
  retention_cohorts: counts('retention_cohorts', ['first_week', 'week'], ['users']),
  reply_rate_days: counts('reply_rate_days', ['day', 'tone', 'style'], ['sent', 'replied']),
  learning_evidence: counts(
    'learning_evidence',
    ['day', 'tone', 'style', 'is_question', 'detail', 'length_band', 'score_band'],
    ['sent', 'replied'],
  ),
  learning_buckets: counts('learning_buckets', ['day', 'arm', 'bucket'], ['sent', 'replied']),
}
