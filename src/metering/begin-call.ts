import { toServiceError } from '../core/to-service-error.js'
import type { Database } from '../database/open-database.js'
import type { Execution, Idempotency } from './idempotency.js'
import type { CapabilityLimits } from './plans.js'
import { releaseQuota, reserveQuota, settleQuota, type QuotaScope } from './quota.js'

/** A reservation outlives the deadline of its call by this, so that an answer at the last moment can be charged. */
const RESERVATION_MARGIN_MS = 10_000

export interface MeteringDeps {
  db: Database
  idempotency: Idempotency
  clock: () => number
}

export interface CallToMeter {
  scope: QuotaScope
  limits: Pick<CapabilityLimits, 'hardCap'>
  /** UUID in lower case; undefined when the partner sent none: then no request repeats another. */
  idempotencyKey: string | undefined
  /** Digest that distinguishes one request body from another. */
  bodyDigest: Uint8Array
  /** Milliseconds since the epoch, by `clock`; the call is aborted at this time. */
  deadline: number
  /** Aborts when the client leaves or the deadline passes. */
  signal: AbortSignal
}

/** A successful answer as it is sent, stored, and repeated for retries. */
export interface CallAnswer {
  /** JSON text. */
  body: string
  /** Headers that belong to this answer. */
  headers: Record<string, string>
}

/** A call that holds a quota reservation and, with an idempotency key, the right to execute. */
export interface MeteredCall {
  /**
   * Charges the call and makes its answer final: charge, stored answer and `record` commit in one transaction, so a crash
   * leaves all or nothing.
   * @param record - writes what must be stored if and only if the call is charged
   * @returns the calls charged this month, this one included
   * @throws ServiceError `overloaded` when the reservation or the execution has lapsed; the abort reason
   */
  settle(answer: CallAnswer, record: (transaction: Database) => Promise<void>): Promise<number>
  /**
   * Charges a call of which only a part was answered, and stores no answer for retries.
   * @throws ServiceError `overloaded` when the reservation has lapsed
   */
  settlePart(record: (transaction: Database) => Promise<void>): Promise<void>
  /**
   * Returns the reservation, uncharged unless it was settled, and passes the error on to concurrent duplicates. Call it when
   * `settle` failed too.
   */
  release(error: unknown): Promise<void>
}

/** Either the stored answer of an earlier request with the same idempotency key, or a new call to execute. */
export type BegunCall = { replay: CallAnswer } | { call: MeteredCall }

/**
 * Claims the idempotency key and reserves quota for a call. A call that was begun must be settled or released.
 * @throws ServiceError `idempotency_key_reused`, `quota_exceeded`; the error of a concurrent duplicate; the abort reason
 */
export async function beginCall(deps: MeteringDeps, request: CallToMeter): Promise<BegunCall> {
  const { scope, idempotencyKey: key, bodyDigest: body, signal, limits } = request
  const deadline = request.deadline + RESERVATION_MARGIN_MS
  const claim = key && (await deps.idempotency.claim({ scope, key, body, deadline, signal }))
  if (claim && 'answer' in claim) return { replay: JSON.parse(claim.answer) as CallAnswer }
  const execution = claim ? claim.execution : undefined
  try {
    const terms = { hardCap: limits.hardCap, now: deps.clock(), deadline }
    const reservation = await reserveQuota(deps.db, scope, terms)
    return { call: createMeteredCall(deps, { reservation, execution, signal }) }
  } catch (error) {
    await endFailed(execution, signal, error)
    throw error
  }
}

interface Held {
  reservation: Awaited<ReturnType<typeof reserveQuota>>
  execution: Execution | undefined
  signal: AbortSignal
}

function createMeteredCall(
  { db, clock }: MeteringDeps,
  { reservation, execution, signal }: Held,
): MeteredCall {
  const charge = (record: (transaction: Database) => Promise<void>) =>
    db.transaction().execute(async (transaction) => {
      await record(transaction)
      return settleQuota(transaction, reservation, clock())
    })
  return {
    async settle(answer, record) {
      signal.throwIfAborted()
      const used = await charge(async (transaction) => {
        await execution?.store(transaction, JSON.stringify(answer))
        await record(transaction)
      })
      await execution?.end('stored')
      return used
    },
    async settlePart(record) {
      await charge(record)
    },
    async release(error) {
      try {
        await releaseQuota(db, reservation)
      } finally {
        await endFailed(execution, signal, error)
      }
    },
  }
}

/** A duplicate that waits gets the same error, but executes itself when this request was only aborted. */
async function endFailed(
  execution: Execution | undefined,
  signal: AbortSignal,
  error: unknown,
): Promise<void> {
  await execution?.end(signal.aborted ? 'abandoned' : { error: toServiceError(error) })
}
