import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { STYLES, TONES } from '../../dist/openers/styles.js'

const DAY_MS = 24 * 60 * 60 * 1_000
export const YEAR_MS = 365 * DAY_MS
const EVENTS_PER_TWO_CALLS = [
  'opener_sent',
  'conversation_reply',
  'opener_sent',
  'opener_sent',
  'conversation_reply',
]
/** On average. */
export const EVENTS_PER_CALL = EVENTS_PER_TWO_CALLS.length / 2
const EVENTS_PER_USER = 10
const LATE_SHARE = 0.03
const MAX_LATE_MS = 60 * DAY_MS
const STYLE_NAMES = Object.keys(STYLES)

/** When the synthetic year ends, in milliseconds since the epoch. */
export const YEAR_END = Date.UTC(2026, 11, 31)

export const SCOPE = { organizationId: 'org_bench', environment: 'live' }

/** @typedef {Awaited<ReturnType<typeof import('../../dist/database/open-database.js').openDatabase>>} Database */

/**
 * A year of one partner's events in the order in which they would arrive: five for every two calls, ten for every end
 * user, one in three without an opener's index, some of them weeks late.
 */
export function createEventSource(/** @type {number} */ total) {
  const callCount = Math.ceil((total / EVENTS_PER_TWO_CALLS.length) * 2)
  const requestIds = randomBytes(callCount * 12)
  const userSalt = randomUUID()
  let next = 0
  const requestId = (/** @type {number} */ call) =>
    `req_${requestIds.toString('hex', call * 12, call * 12 + 12)}`

  function invent() {
    const position = next++
    const place = position % EVENTS_PER_TWO_CALLS.length
    const call = Math.floor(position / EVENTS_PER_TWO_CALLS.length) * 2 + (place < 2 ? 0 : 1)
    const user = Math.floor(Math.random() * (1 + position / EVENTS_PER_USER))
    const late = Math.random() < LATE_SHARE ? Math.random() * MAX_LATE_MS : 0
    const at = YEAR_END - YEAR_MS + (position / total) * YEAR_MS - late
    return {
      ts: new Date(at).toISOString(),
      end_user_id: createHash('sha256').update(`${userSalt} ${user}`).digest('hex'),
      event: EVENTS_PER_TWO_CALLS[place],
      idempotency_key: randomUUID(),
      context: {
        originating_request_id: requestId(call),
        ...(position % 3 !== 0 && { opener_index: place % 3 }),
      },
    }
  }

  return {
    take: (/** @type {number} */ count) => Array.from({ length: count }, invent),
    /** Writes organisation and calls without asking for each one's durability, which is not what is measured. */
    prepare: async (/** @type {Database} */ db) => {
      const organization = {
        id: SCOPE.organizationId,
        name: 'Synthetic',
        plan: 'free',
        created_at: 0,
      }
      await db.insertInto('organizations').values(organization).execute()
      const { organizationId: organization_id, environment } = SCOPE
      await db.insertInto('event_scopes').values({ id: 1, organization_id, environment }).execute()
      for (let start = 0; start < callCount; start += 10_000) {
        const calls = Array.from({ length: Math.min(10_000, callCount - start) }, (_, index) => {
          const call = start + index
          const styles = [0, 1, 2].map(
            (offset) => STYLE_NAMES[(call + offset) % STYLE_NAMES.length],
          )
          const openers = styles.map((style) => ({ style, length: 60 }))
          return [call + 1, requestId(call), TONES[call % TONES.length], JSON.stringify(openers)]
        })
        await sql`
          insert into service_calls (id, scope_id, request_id, capability, created_at, tone, openers)
          select value ->> 0, 1, value ->> 1, 'conversation.openers', 0, value ->> 2, value ->> 3
          from json_each(${JSON.stringify(calls)})
        `.execute(db)
      }
    },
  }
}
