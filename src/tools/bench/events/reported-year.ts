import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../../database/open-database.js'
import { rowsOf } from '../../../database/rows-of.js'
import type { EventRecord } from '../../../events/events-contract.js'
import type { EventScope } from '../../../events/event-scope.js'
import { ensureScopeId } from '../../../events/event-scope.js'
import { toStoredOpeners, toStoredSelection } from '../../../events/written-openers.js'
import { BUCKETS } from '../../../learning/uplift.js'
import { OPENER_DETAILS } from '../../../openers/opener-traits.js'
import { STYLE_NAMES, TONES } from '../../../openers/styles.js'
import { seededRandom } from '../../../core/seeded-random.js'
import { DAY_MS, YEAR_MS } from './synthetic-events.js'

const OPENERS = 3
const EVENTS_PER_CALL = 2.5
const EVENTS_PER_USER = 10
const UNNAMED_SHARE = 0.3
const REPLY_SHARE = 0.4
const MAX_DELAY_MS = 45 * DAY_MS
/** As far as the clocks of a partner may differ; a reply may so be dated before its opener. */
const MAX_BEHIND_MS = 2 * 60 * 1_000
const CALLS_PER_INSERT = 10_000

interface ReportedCall {
  requestId: string
  createdAt: number
  tone: string
  openers: string
  /** Null for a call that was made while learning was off. */
  selection: string | null
}

/** What one partner reports: calls, and events about them. */
export interface ReportedYear {
  calls: ReportedCall[]
  events: EventRecord[]
}

/**
 * Creates a year of calls and as many events as wanted. The same arguments give the same year. Events are about any opener of a call or about none
 * of them, some more than once, at times up to 45 days after the call; end users are those of several calls.
 * @param endsAt - milliseconds since the epoch
 */
export function createReportedYear(events: number, seed: number, endsAt: number): ReportedYear {
  const random = seededRandom(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const idOf = (kind: string, number: number) =>
    createHash('sha256').update(`${seed} ${kind} ${number}`).digest('hex')
  const calls = Array.from({ length: Math.ceil(events / EVENTS_PER_CALL) }, (_, number) => {
    const requestId = `req_${idOf('call', number).slice(0, 24)}`
    return { requestId, createdAt: endsAt - YEAR_MS + below(YEAR_MS - DAY_MS), ...describe(below) }
  })
  const users = Math.max(1, Math.ceil(events / EVENTS_PER_USER))
  const records = Array.from({ length: events }, (_, number): EventRecord => {
    const place = below(calls.length)
    const call = calls[place]!
    const latest = Math.min(call.createdAt + below(MAX_DELAY_MS), endsAt)
    const time = random() < 0.5 ? latest : call.createdAt + below(DAY_MS) - MAX_BEHIND_MS
    return {
      ts: new Date(time).toISOString(),
      // Of three users one, so that most events of a call come from the same.
      end_user_id: idOf('user', (place + below(3) * 7_919) % users),
      event: random() < REPLY_SHARE ? 'conversation_reply' : 'opener_sent',
      idempotency_key: toUuid(idOf('event', number)),
      context: {
        originating_request_id: call.requestId,
        ...(random() >= UNNAMED_SHARE && { opener_index: below(OPENERS) }),
      },
    }
  })
  return { calls, events: records }
}

function describe(below: (limit: number) => number): Omit<ReportedCall, 'requestId' | 'createdAt'> {
  const written = Array.from({ length: OPENERS }, () => ({
    style: STYLE_NAMES[below(STYLE_NAMES.length)]!,
    length: 30 + below(90),
  }))
  const traits = written.map(() => ({
    isQuestion: below(2) === 0,
    detail: OPENER_DETAILS[below(OPENER_DETAILS.length)]!,
    score: 0.5 + below(50) / 100,
  }))
  const isLearning = below(4) > 0
  const arm = below(10) === 0 ? 'control' : 'learned'
  const probabilities = arm === 'control' ? null : [0.4, 0.5, 1]
  const selection = { arm, bucket: below(BUCKETS), styles: STYLE_NAMES.slice(0, 3), probabilities }
  return {
    tone: TONES[below(TONES.length)]!,
    openers: toStoredOpeners(written, isLearning ? traits : []),
    selection: isLearning ? toStoredSelection(selection as never) : null,
  }
}

function toUuid(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}

const COLUMNS = {
  request_id: 'text',
  created_at: 'integer',
  tone: 'text',
  openers: 'text',
  selection: 'text',
} as const

/** Records the calls as if they had been answered, without the durability of real ones. */
export async function insertReportedCalls(
  db: Database,
  scope: EventScope,
  calls: readonly ReportedCall[],
): Promise<void> {
  const scopeId = await ensureScopeId(db, scope)
  for (let start = 0; start < calls.length; start += CALLS_PER_INSERT) {
    const rows = calls
      .slice(start, start + CALLS_PER_INSERT)
      .map((call) => [call.requestId, call.createdAt, call.tone, call.openers, call.selection])
    await sql`
      insert into service_calls (scope_id, request_id, capability, created_at, tone, openers, selection)
      select ${scopeId}, request_id, 'conversation.openers', created_at, tone, openers, selection
      from ${rowsOf(db, rows, COLUMNS)} as added
    `.execute(db)
  }
}
