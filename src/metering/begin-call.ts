import { toServiceError } from '../core/to-service-error.js'
import type { Database } from '../database/open-database.js'
import type { Execution, Idempotency } from './idempotency.js'
import type { CapabilityLimits } from './plans.js'
import { chargeCall } from './charge-call.js'
import { releaseQuota, reserveQuota, type QuotaLease, type QuotaScope } from './quota.js'

/** A lease outlives the deadline of its call by this, so that an answer at the last moment can be charged. */
const LEASE_MARGIN_MS = 10_000

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

/** A call that holds a quota lease and, with an idempotency key, the right to execute. */
export interface MeteredCall {
  /**
   * Charges the call and makes its answer final: charge, stored answer and `record` commit in one transaction, so a crash
   * leaves all or nothing.
   * @param record - writes what must be stored if and only if the call is charged
   * @returns the calls charged this month, this one included
   * @throws ServiceError `overloaded` when the lease or the execution has lapsed; the abort reason
   */
  settle(answer: CallAnswer, record: (transaction: Database) => Promise<void>): Promise<number>
  /**
   * Charges a call of which only a part was answered, and stores no answer for retries.
   * @throws ServiceError `overloaded` when the lease has lapsed
   */
  settlePart(record: (transaction: Database) => Promise<void>): Promise<void>
  /**
   * Returns the lease, uncharged unless it was settled, and passes the error on to concurrent duplicates. Call it when
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
  const deadline = request.deadline + LEASE_MARGIN_MS
  const claim = key && (await deps.idempotency.claim({ scope, key, body, deadline, signal }))
  if (claim && 'answer' in claim) return { replay: JSON.parse(claim.answer) as CallAnswer }
  const execution = claim ? claim.execution : undefined
  try {
    const terms = { hardCap: limits.hardCap, now: deps.clock(), deadline }
    const lease = await reserveQuota(deps.db, scope, terms)
    return { call: createMeteredCall(deps, { lease, execution, signal }) }
  } catch (error) {
    await endFailed(execution, signal, error)
    throw error
  }
}

interface Held {
  lease: QuotaLease
  execution: Execution | undefined
  signal: AbortSignal
}

function createMeteredCall(deps: MeteringDeps, { lease, execution, signal }: Held): MeteredCall {
  return {
    async settle(answer, record) {
      signal.throwIfAborted()
      const used = await chargeCall(deps, lease, async (transaction) => {
        await execution?.store(transaction, JSON.stringify(answer))
        await record(transaction)
      })
      await execution?.end('stored')
      return used
    },
    async settlePart(record) {
      await chargeCall(deps, lease, record)
    },
    async release(error) {
      try {
        await releaseQuota(deps.db, lease)
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
