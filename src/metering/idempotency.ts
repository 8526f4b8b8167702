import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../database/open-database.js'
import { ServiceError } from '../core/service-error.js'
import { deriveIdempotencySecrets, type IdempotencySecrets } from './idempotency-key.js'
import { claimRecord, deleteRecord, findRecord, storeAnswer } from './idempotency-record.js'
import type { QuotaScope } from './quota.js'
import type { ServerSecret } from '../organizations/server-secret.js'

const RECORD_TTL_MS = 24 * 60 * 60 * 1_000
const POLL_MS = 250

export interface IdempotentRequest {
  scope: QuotaScope
  /** UUID in lower case. */
  key: string
  /** What tells one body from another. */
  body: Uint8Array
  /** When an execution without an answer may be taken over, in milliseconds since the epoch. */
  deadline: number
  /** Ends the wait for a twin. */
  signal: AbortSignal
}

/** Either the first answer, or the right and duty to execute. */
export type Claim = { answer: string } | { execution: Execution }

/** The one execution of an idempotency key. It must be ended, whatever happens. */
export interface Execution {
  /**
   * Stores the answer. Belongs into the transaction that charges the call.
   * @throws ServiceError `overloaded` when the deadline has passed and a retry has taken over
   */
  store(transaction: Database, answer: string): Promise<void>
  /** Tells waiting twins how it ended: they get the stored answer, the same error, or execute themselves. */
  end(outcome: ExecutionOutcome): Promise<void>
}

export type ExecutionOutcome = 'stored' | 'abandoned' | { error: ServiceError }

export interface Idempotency {
  /** Whether a request with this key was answered or runs; never without a key. */
  isRetry(scope: QuotaScope, key: string | undefined): Promise<boolean>
  /**
   * Settles who executes a request. A twin that runs in this process is waited for; one of another process, or of
   * one that died, until it has answered or its deadline has passed.
   * @throws ServiceError `idempotency_key_reused`; whatever the twin that was waited for failed with; the abort reason
   */
  claim(request: IdempotentRequest): Promise<Claim>
}

interface Running {
  bodyHash: Buffer
  ended: Promise<ExecutionOutcome>
}

interface IdempotencyDeps {
  db: Database
  secret: ServerSecret
  clock: () => number
}

/** Makes retried requests answer once, by records in the database and the executions of this process in memory. */
export function createIdempotency(deps: IdempotencyDeps): Idempotency {
  const running = new Map<string, Running>()

  async function isRetry(scope: QuotaScope, key: string | undefined): Promise<boolean> {
    if (key === undefined) return false
    const { keyHash } = deriveIdempotencySecrets(deps.secret, scope, key)
    return (
      running.has(keyHash.toString('hex')) || (await findRecord(deps.db, keyHash)) !== undefined
    )
  }

  async function claim(request: IdempotentRequest): Promise<Claim> {
    const secrets = deriveIdempotencySecrets(deps.secret, request.scope, request.key)
    const bodyHash = secrets.hashBody(request.body)
    const id = secrets.keyHash.toString('hex')
    for (;;) {
      request.signal.throwIfAborted()
      const twin = running.get(id)
      if (twin) {
        refuseOtherBody(twin.bodyHash, bodyHash)
        const outcome = await unlessAborted(twin.ended, request.signal)
        if (typeof outcome === 'object') throw outcome.error
        continue
      }
      // Entered before the database is asked: of twins in this process one asks, the others wait for it.
      const end = enter(id, bodyHash)
      const result = await claimInDatabase(deps, { request, secrets, bodyHash, end }).catch(
        (error: unknown) => {
          end('abandoned')
          throw error
        },
      )
      if (result !== 'running elsewhere' && 'execution' in result) return result
      end('abandoned')
      if (result !== 'running elsewhere') return result
      await delay(POLL_MS, undefined, { signal: request.signal })
    }
  }

  function enter(id: string, bodyHash: Buffer): (outcome: ExecutionOutcome) => void {
    let resolve: (outcome: ExecutionOutcome) => void
    const ended = new Promise<ExecutionOutcome>((settle) => (resolve = settle))
    running.set(id, { bodyHash, ended })
    return (outcome) => {
      running.delete(id)
      resolve(outcome)
    }
  }

  return { isRetry, claim }
}

interface ClaimAttempt {
  request: IdempotentRequest
  secrets: IdempotencySecrets
  bodyHash: Buffer
  end: (outcome: ExecutionOutcome) => void
}

async function claimInDatabase(
  { db, clock }: IdempotencyDeps,
  { request, secrets, bodyHash, end }: ClaimAttempt,
): Promise<Claim | 'running elsewhere'> {
  const { keyHash } = secrets
  const executionId = randomUUID()
  const now = clock()
  const { deadline, scope } = request
  const { organizationId } = scope
  const expiresAt = now + RECORD_TTL_MS
  const record = { keyHash, bodyHash, executionId, deadline, expiresAt, organizationId }
  if (await claimRecord(db, record, now)) {
    return { execution: startExecution(db, { executionId, secrets, end }) }
  }
  const known = await findRecord(db, keyHash)
  if (!known) return 'running elsewhere'
  refuseOtherBody(known.body_hash, bodyHash)
  return known.answer ? { answer: secrets.unseal(known.answer) } : 'running elsewhere'
}

interface StartedExecution extends Pick<ClaimAttempt, 'secrets' | 'end'> {
  executionId: string
}

function startExecution(db: Database, { executionId, secrets, end }: StartedExecution): Execution {
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
