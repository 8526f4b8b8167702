import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../../database/open-database.js'
import { rowsOf } from '../../../database/rows-of.js'
import type { EventKind, EventRecord } from '../../../events/events-contract.js'
import type { EventScope } from '../../../events/event-scope.js'
import { STYLE_NAMES, TONES } from '../../../openers/styles.js'

export const DAY_MS = 24 * 60 * 60 * 1_000
export const YEAR_MS = 365 * DAY_MS
/** End of the synthetic year, in milliseconds since the epoch. */
export const YEAR_END = Date.UTC(2026, 11, 31)
/** The partner that synthetic events belong to, unless there are several. */
export const SCOPE: EventScope = scopeOf(0)
/** More than any benchmark has of one partner. */
const CALL_IDS_PER_PARTNER = 100_000_000

/** The first two belong to the first call of a pair. */
const EVENTS_PER_TWO_CALLS: readonly EventKind[] = [
  'opener_sent',
  'conversation_reply',
  'opener_sent',
  'opener_sent',
  'conversation_reply',
]
/** Mean number of events for a call. */
export const EVENTS_PER_CALL = EVENTS_PER_TWO_CALLS.length / 2
const EVENTS_PER_USER = 10
const LATE_PROBABILITY = 0.03
const MAX_LATE_MS = 60 * DAY_MS
const CALLS_PER_INSERT = 10_000

export interface EventSource {
  scope: EventScope
  /** Inserts the organisation and its calls, without the durability of real calls, which is not measured here. */
  prepare: (db: Database) => Promise<void>
  /** Creates the next events of the year. */
  take: (count: number) => EventRecord[]
}

/**
 * Creates a year of one partner's events in their order of arrival: five for every two calls and ten for every end user.
 * One in three has no opener index, and some arrive weeks late.
 * @param total - events of the whole year
 * @param partner - number of the partner, from 0
 */
export function createEventSource(total: number, partner = 0): EventSource {
  const callCount = Math.ceil((total / EVENTS_PER_TWO_CALLS.length) * 2)
  const requestIds = randomBytes(callCount * 12)
  const userSalt = randomUUID()
  let nextPosition = 0
  const requestIdOf = (call: number) =>
    `req_${requestIds.toString('hex', call * 12, call * 12 + 12)}`

  function createEvent(): EventRecord {
    const position = nextPosition++
    const place = position % EVENTS_PER_TWO_CALLS.length
    const call = Math.floor(position / EVENTS_PER_TWO_CALLS.length) * 2 + (place < 2 ? 0 : 1)
    const user = Math.floor(Math.random() * (1 + position / EVENTS_PER_USER))
    const lateMs = Math.random() < LATE_PROBABILITY ? Math.random() * MAX_LATE_MS : 0
    const time = YEAR_END - YEAR_MS + (position / total) * YEAR_MS - lateMs
    return {
      ts: new Date(time).toISOString(),
      end_user_id: createHash('sha256').update(`${userSalt} ${user}`).digest('hex'),
      event: EVENTS_PER_TWO_CALLS[place]!,
      idempotency_key: randomUUID(),
      context: {
        originating_request_id: requestIdOf(call),
        ...(position % 3 !== 0 && { opener_index: place % 3 }),
      },
    }
  }

  return {
    scope: scopeOf(partner),
    take: (count) => Array.from({ length: count }, createEvent),
    prepare: async (db) => {
      await insertScope(db, partner)
      for (let start = 0; start < callCount; start += CALLS_PER_INSERT) {
        const length = Math.min(CALLS_PER_INSERT, callCount - start)
        const rows = Array.from({ length }, (_, i) => callRow(start + i, requestIdOf(start + i)))
        await insertCalls(db, partner, rows)
      }
    },
  }
}

function scopeOf(partner: number): EventScope {
  return {
    organizationId: partner === 0 ? 'org_bench' : `org_bench_${partner}`,
    environment: 'live',
  }
}

async function insertScope(db: Database, partner: number): Promise<void> {
  const { organizationId, environment } = scopeOf(partner)
  const name = `Synthetic ${partner}`
  const organization = { id: organizationId, name, plan: 'free', created_at: 0 }
  await db.insertInto('organizations').values(organization).execute()
  const scope = { id: partner + 1, organization_id: organizationId, environment }
  await db.insertInto('event_scopes').values(scope).execute()
}

interface CallRow {
  id: number
  request_id: string
  tone: string
  openers: string
}

const CALL_COLUMNS = { id: 'integer', request_id: 'text', tone: 'text', openers: 'text' } as const

function callRow(call: number, requestId: string): CallRow {
  const openers = [0, 1, 2].map((offset) => ({
    style: STYLE_NAMES[(call + offset) % STYLE_NAMES.length]!,
    length: 60,
  }))
  return {
    id: call + 1,
    request_id: requestId,
    tone: TONES[call % TONES.length]!,
    openers: JSON.stringify(openers),
  }
}

async function insertCalls(db: Database, partner: number, rows: readonly CallRow[]): Promise<void> {
  const wanted = rowsOf(
    db,
    rows.map(({ id, request_id, tone, openers }) => [
      id + partner * CALL_IDS_PER_PARTNER,
      request_id,
      tone,
      openers,
    ]),
    CALL_COLUMNS,
  )
  await sql`
    insert into service_calls (id, scope_id, request_id, capability, created_at, tone, openers)
    select id, ${partner + 1}, request_id, 'conversation.openers', 0, tone, openers from ${wanted} as wanted
  `.execute(db)
}
