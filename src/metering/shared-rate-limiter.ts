import { LRUCache } from 'lru-cache'
import { sql } from 'kysely'
import type { Database } from '../database/open-database.js'
import { prepareSql } from '../database/prepare-query.js'
import { runAlone } from '../database/run-alone.js'
import { ATTEMPTS, type RateLimitDecision, type RateLimiter } from './rate-limit.js'

/** How long a server refuses a key without asking again: another server may have given a request back. */
const TRUST_REFUSAL_MS = 1_000
const MAX_REFUSALS = 10_000
/** Seconds after which a window holds no request any more. */
const IDLE_SECONDS = 61

interface Refusal {
  decision: RateLimitDecision
  /** `performance.now()` of the decision. */
  decidedAt: number
}

/**
 * Creates a rate limiter whose windows are in PostgreSQL, for all servers of that database, by its clock: any 60 s contain at
 * most `limit` requests, whichever server they come to. When the database cannot be used, it allows nothing.
 */
export function createSharedRateLimiter(db: Database): RateLimiter {
  const refusals = new LRUCache<string, Refusal>({ max: MAX_REFUSALS })
  return {
    async take(key, limit) {
      const known = findRefusal(refusals, key, limit)
      if (known) return known
      const { rows } = await takeRequest(db, { key, limit, attempts: ATTEMPTS * limit })
      const decision = toDecision(rows[0]!, limit)
      if (decision.allowed) refusals.delete(key)
      else refusals.set(key, { decision, decidedAt: performance.now() })
      return decision
    },
    async giveBack(key, takenAt) {
      refusals.delete(key)
      // If it fails, the request stays counted for its minute.
      await returnRequest(db, { key, takenAt }).catch(() => {})
    },
    async sweep() {
      await runAlone(db, 'sweep', deleteIdle)
    },
  }
}

function findRefusal(
  refusals: LRUCache<string, Refusal>,
  key: string,
  limit: number,
): RateLimitDecision | undefined {
  const known = refusals.get(key)
  if (known?.decision.limit !== limit) return undefined
  const { decision, decidedAt } = known
  const passedMs = performance.now() - decidedAt
  return passedMs < Math.min(TRUST_REFUSAL_MS, decision.retryAfterSeconds * 1_000 - 1_000)
    ? decision
    : undefined
}

interface TakenRequest {
  taken_at: number
  requests_left: number
  request_allowed: boolean
  request_wait: number
  attempt_allowed: boolean
  attempt_wait: number
}

function toDecision(row: TakenRequest, limit: number): RateLimitDecision {
  const wait = row.request_allowed ? row.attempt_wait : row.request_wait
  const allowed = row.request_allowed && row.attempt_allowed
  return {
    allowed,
    limit,
    remaining: row.requests_left,
    resetSeconds: Math.ceil(row.request_wait),
    retryAfterSeconds: allowed ? 0 : Math.ceil(wait),
    takenAt: row.taken_at,
  }
}

const takeRequest = prepareSql(
  (_db, value: { key: string; limit: number; attempts: number }) => sql<TakenRequest>`
    select * from take_request(${value.key}, ${value.limit}, ${value.attempts})`,
)

const returnRequest = prepareSql(
  (_db, value: { key: string; takenAt: number }) => sql`
    update rate_windows
    set requests[61 - (second - ${value.takenAt})] = greatest(requests[61 - (second - ${value.takenAt})] - 1, 0)
    where key = ${value.key} and second - ${value.takenAt} between 0 and 60`,
)

/** Without windows in use, which are not idle. */
async function deleteIdle(transaction: Database): Promise<void> {
  await sql`
    delete from rate_windows where key in (
      select key from rate_windows
      where second < extract(epoch from clock_timestamp()) - ${sql.lit(IDLE_SECONDS)}
      for update skip locked
    )
  `.execute(transaction)
}
