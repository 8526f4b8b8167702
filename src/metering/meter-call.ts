import type { Database } from '../database/open-database.js'
import { toServiceError } from '../core/service-error.js'
import type { Execution, Idempotency } from './idempotency.js'
import type { CapabilityLimits } from './plans.js'
import { releaseQuota, reserveQuota, settleQuota, type QuotaScope } from './quota.js'

/** How long a reservation outlives the deadline of its call, so that an answer in the last moment can be charged. */
const RESERVATION_MARGIN_MS = 10_000

export interface MeteringDeps {
  db: Database
  idempotency: Idempotency
  clock: () => number
}

export interface MeteredRequest {
  scope: QuotaScope
  limits: CapabilityLimits
  /** UUID in lower case; undefined when the partner sent none: then every request is a new one. */
  idempotencyKey: string | undefined
  /** What tells one body from another. */
  body: Uint8Array
  /** Milliseconds since the epoch; the work does not go on after it. */
  deadline: number
  /** Aborts when the client leaves or the deadline passes. */
  signal: AbortSignal
}

/** What is done for a request once it is known to be no retry. */
export interface MeteredWork<Body> {
  /** Refuses what is wrong with the request; nothing is reserved before. */
  parse(): Body
  execute(body: Body): Promise<ExecutedCall>
  /** Writes what must be known of a call that failed and is not charged, as when it was answered in part. */
  recordFailure?: (body: Body) => Promise<void>
}

export interface ExecutedCall {
  answer: CallAnswer
  /** Writes what must be known of the call exactly if it is charged. */
  record?: (transaction: Database) => Promise<void>
}

/** A good answer, as it is sent and repeated for retries. */
export interface CallAnswer {
  /** JSON text. */
  body: string
  /** Headers that belong to this answer. */
  headers: Record<string, string>
}

export interface MeteredAnswer {
  answer: CallAnswer
  /** Whether this is the answer of an earlier request with the same idempotency key, not charged again. */
  replayed: boolean
  /** Calls charged this month after this one; undefined for a replay. */
  used: number | undefined
}

/**
 * Runs a call once and charges it once: retries with the same idempotency key get the first answer. The charge, the
 * stored answer and the record commit together, so a crash leaves all or nothing, and then the retry runs anew. What
 * fails or is aborted costs nothing and stores nothing.
 * @throws ServiceError `idempotency_key_reused`, `quota_exceeded`, and whatever the work throws
 */
export async function meterCall<Body>(
  deps: MeteringDeps,
  request: MeteredRequest,
  work: MeteredWork<Body>,
): Promise<MeteredAnswer> {
  const { scope, idempotencyKey: key, body, signal } = request
  const deadline = request.deadline + RESERVATION_MARGIN_MS
  if (key === undefined) return runOnce(deps, { request, deadline, work, execution: undefined })
  const claim = await deps.idempotency.claim({ scope, key, body, deadline, signal })
  if ('answer' in claim) {
    return { answer: JSON.parse(claim.answer) as CallAnswer, replayed: true, used: undefined }
  }
  const { execution } = claim
  try {
    const answer = await runOnce(deps, { request, deadline, work, execution })
    await execution.end('stored')
    return answer
  } catch (error) {
    await execution.end(signal.aborted ? 'abandoned' : { error: toServiceError(error) })
    throw error
  }
}

interface Run<Body> {
  request: MeteredRequest
  deadline: number
  work: MeteredWork<Body>
  execution: Execution | undefined
}

async function runOnce<Body>(
  { db, clock }: MeteringDeps,
  { request, deadline, work, execution }: Run<Body>,
): Promise<MeteredAnswer> {
  const body = work.parse()
  const reservation = await reserveQuota(db, request.scope, {
    hardCap: request.limits.hardCap,
    now: clock(),
    deadline,
  })
  try {
    const { answer, record } = await work.execute(body)
    request.signal.throwIfAborted()
    const used = await db.transaction().execute(async (transaction) => {
      await execution?.store(transaction, JSON.stringify(answer))
      await record?.(transaction)
      return settleQuota(transaction, reservation, clock())
    })
    return { answer, replayed: false, used }
  } catch (error) {
    await releaseQuota(db, reservation)
    await work.recordFailure?.(body)
    throw error
  }
}
