import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { ServiceError } from '../core/service-error.js'
import type { Database } from '../database/open-database.js'
import type { ServerSecret } from '../organizations/server-secret.js'
import { deriveIdempotencySecrets, type IdempotencySecrets } from './idempotency-key.js'
import { claimRecord, deleteRecord, findRecord, storeAnswer } from './idempotency-record.js'
import type { QuotaScope } from './quota.js'

const RECORD_TTL_MS = 24 * 60 * 60 * 1_000
/** How often a duplicate looks whether the executing process has answered. */
const POLL_MS = 250
/** Executions remembered while the database cannot be written; the records of others are retaken after their deadlines. */
const MAX_LEFT_BEHIND = 10_000

export interface IdempotentRequest {
  scope: QuotaScope
  /** UUID in lower case. */
  key: string
  /** Bytes that distinguish one request body from another. */
  body: Uint8Array
  /** When an execution without an answer may be taken over, in milliseconds since the epoch. */
  deadline: number
  /** Ends the wait for a concurrent duplicate. */
  signal: AbortSignal
}

/** Either the stored answer, or the right to execute. */
export type Claim = { answer: string } | { execution: Execution }

/** The only execution of an idempotency key. Every execution must be ended. */
export interface Execution {
  /**
   * Stores the answer within the transaction that charges the call.
   * @throws ServiceError `overloaded` when the deadline has passed and a retry has taken over
   */
  store(transaction: Database, answer: string): Promise<void>
  /** Releases waiting duplicates: they get the stored answer, the same error, or execute themselves. */
  end(outcome: ExecutionOutcome): Promise<void>
}

export type ExecutionOutcome = 'stored' | 'abandoned' | { error: ServiceError }

export interface Idempotency {
  /** Whether a request with this key was answered or is executing; false without a key. */
  isRetry(scope: QuotaScope, key: string | undefined): Promise<boolean>
  /**
   * Decides which of several requests with one key executes. The others wait: for an execution in this process until it
   * ends; for one in another process, dead or alive, until it has answered or its deadline has passed.
   * @throws ServiceError `idempotency_key_reused`; the error of the execution that was waited for; the abort reason
   */
  claim(request: IdempotentRequest): Promise<Claim>
}

interface IdempotencyDeps {
  db: Database
  secret: ServerSecret
  clock: () => number
}

/** Executions are tracked in memory within this process, and by database records across processes. */
export function createIdempotency(deps: IdempotencyDeps): Idempotency {
  const executions = new LocalExecutions()
  return {
    async isRetry(scope, key) {
      if (key === undefined) return false
      const { keyHash } = deriveIdempotencySecrets(deps.secret, scope, key)
      return executions.has(keyHash) || (await findRecord(deps.db, keyHash)) !== undefined
    },
    async claim(request) {
      const secrets = deriveIdempotencySecrets(deps.secret, request.scope, request.key)
      const bodyHash = secrets.hashBody(request.body)
      for (;;) {
        request.signal.throwIfAborted()
        if (executions.has(secrets.keyHash)) {
          await executions.wait(secrets.keyHash, bodyHash, request.signal)
          continue
        }
        // Registered before the database is asked: one duplicate of this process asks, the others wait for it.
        const end = executions.begin(secrets.keyHash, bodyHash)
        const attempt = { request, secrets, bodyHash, executions, end }
        const claim = await claimInDatabase(deps, attempt).catch((error: unknown) => {
          end('abandoned')
          throw error
        })
        if (claim && 'execution' in claim) return claim
        end('abandoned')
        if (claim) return claim
        await delay(POLL_MS, undefined, { signal: request.signal })
      }
    },
  }
}

/** Executions of this process by the hash of their key. */
class LocalExecutions {
  readonly #running = new Map<string, { bodyHash: Buffer; ended: Promise<ExecutionOutcome> }>()
  /** Ids of executions that are over and may still have a record without an answer, by the hash of their key. */
  readonly #leftBehind = new LRUCache<string, string>({ max: MAX_LEFT_BEHIND })

  /**
   * Remembers an execution that is over although its record could not be deleted, or its claim failed and may have been written all
   * the same: the next claim uses its id, so that a retry does not take that record for an execution elsewhere.
   */
  leaveBehind(keyHash: Buffer, executionId: string): void {
    this.#leftBehind.set(keyHash.toString('hex'), executionId)
  }

  /** Call it when a claim was decided by the database. */
  forgetLeftBehind(keyHash: Buffer): void {
    this.#leftBehind.delete(keyHash.toString('hex'))
  }

  /** The id for the next claim. */
  nextExecutionId(keyHash: Buffer): string {
    return this.#leftBehind.get(keyHash.toString('hex')) ?? randomUUID()
  }

  has(keyHash: Buffer): boolean {
    return this.#running.has(keyHash.toString('hex'))
  }

  /** @returns ends the execution */
  begin(keyHash: Buffer, bodyHash: Buffer): (outcome: ExecutionOutcome) => void {
    const id = keyHash.toString('hex')
    let resolve: (outcome: ExecutionOutcome) => void
    const ended = new Promise<ExecutionOutcome>((settle) => (resolve = settle))
    this.#running.set(id, { bodyHash, ended })
    return (outcome) => {
      this.#running.delete(id)
      resolve(outcome)
    }
  }

  /** Waits for the end of an execution, and fails as it failed. */
  async wait(keyHash: Buffer, bodyHash: Buffer, signal: AbortSignal): Promise<void> {
    const execution = this.#running.get(keyHash.toString('hex'))
    if (!execution) return
    refuseOtherBody(execution.bodyHash, bodyHash)
    const outcome = await unlessAborted(execution.ended, signal)
    if (typeof outcome === 'object') throw outcome.error
  }
}

interface ClaimAttempt {
  request: IdempotentRequest
  secrets: IdempotencySecrets
  bodyHash: Buffer
  executions: LocalExecutions
  end: (outcome: ExecutionOutcome) => void
}

/** @returns undefined while another process executes the request */
async function claimInDatabase(
  { db, clock }: IdempotencyDeps,
  { request, secrets, bodyHash, executions, end }: ClaimAttempt,
): Promise<Claim | undefined> {
  const { keyHash } = secrets
  const executionId = executions.nextExecutionId(keyHash)
  const now = clock()
  const { deadline, scope } = request
  const { organizationId } = scope
  const expiresAt = now + RECORD_TTL_MS
  const record = { keyHash, bodyHash, executionId, deadline, expiresAt, organizationId }
  const isClaimed = await claimRecord(db, record, now).catch((error: unknown) => {
    executions.leaveBehind(keyHash, executionId)
    throw error
  })
  executions.forgetLeftBehind(keyHash)
  if (isClaimed) {
    return { execution: startExecution(db, { executionId, secrets, executions, end }) }
  }
  const known = await findRecord(db, keyHash)
  if (!known) return undefined
  refuseOtherBody(known.body_hash, bodyHash)
  return known.answer ? { answer: secrets.unseal(known.answer) } : undefined
}

interface StartedExecution extends Pick<ClaimAttempt, 'secrets' | 'executions' | 'end'> {
  executionId: string
}

function startExecution(
  db: Database,
  { executionId, secrets, executions, end }: StartedExecution,
): Execution {
  return {
    async store(transaction, answer) {
      const sealed = { keyHash: secrets.keyHash, answer: secrets.seal(answer) }
      const stored = await storeAnswer(transaction, executionId, sealed)
      if (stored) return
      throw new ServiceError('overloaded', 'The call took too long and was not charged. Retry it.')
    },
    async end(outcome) {
      try {
        if (outcome !== 'stored') await deleteRecord(db, executionId, secrets.keyHash)
      } catch (error) {
        executions.leaveBehind(secrets.keyHash, executionId)
        throw error
      } finally {
        end(outcome)
      }
    },
  }
}

function refuseOtherBody(first: Buffer, second: Buffer): void {
  if (first.equals(second)) return
  throw new ServiceError(
    'idempotency_key_reused',
    'This idempotency key belongs to a request with another body. Use a new key for a new request.',
  )
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error)
    signal.addEventListener('abort', onAbort, { once: true })
    void promise.then((value) => {
      signal.removeEventListener('abort', onAbort)
      resolve(value)
    })
  })
}
