import { setTimeout as delay } from 'node:timers/promises'
import { ServiceError } from '../core/service-error.js'
import { isPostgres } from '../database/dialect.js'
import type { Database } from '../database/open-database.js'
import type { Replica } from '../database/postgres/replica.js'
import type { ServerSecret } from '../organizations/server-secret.js'
import { deriveIdempotencySecrets, type IdempotencySecrets } from './idempotency-key.js'
import {
  claimRecord,
  deleteRecord,
  findRecord,
  storeAnswer,
  storeFailure,
} from './idempotency-record.js'
import { LocalExecutions, refuseOtherBody, type ExecutionOutcome } from './local-executions.js'
import type { QuotaScope } from './quota.js'
import { createReleaser } from './release-left-behind.js'
import { parseFailure, serializeFailure } from './shared-failure.js'

const RECORD_TTL_MS = 24 * 60 * 60 * 1_000
/** A duplicate looks whether another process has answered after this time, then after twice as long, and so on up to the maximum. */
const FIRST_POLL_MS = 50
const MAX_POLL_MS = 250

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
   * @throws ServiceError `overloaded` when the deadline has passed, or this replica was presumed dead, and a retry has taken over
   */
  store(transaction: Database, answer: string): Promise<void>
  /** Releases waiting duplicates: they get the stored answer, the same error, or execute themselves. */
  end(outcome: ExecutionOutcome): Promise<void>
}

export interface Idempotency {
  /** Whether a request with this key was answered or is executing; false without a key. */
  isRetry(scope: QuotaScope, key: string | undefined): Promise<boolean>
  /**
   * Decides which of several requests with one key executes. The others wait: for an execution in this process until it
   * ends; for one in another process until it has answered or failed, its replica has died, or its deadline has passed.
   * @throws ServiceError `idempotency_key_reused`; the error of the execution that was waited for; the abort reason
   */
  claim(request: IdempotentRequest): Promise<Claim>
}

interface IdempotencyDeps {
  db: Database
  secret: ServerSecret
  clock: () => number
  /** This process among those on a PostgreSQL database. Without it, others wait for the deadlines of its executions. */
  replica?: Pick<Replica, 'id' | 'ensureAlive'> | undefined
}

/** Executions are tracked in memory within this process, and by database records across processes. */
export function createIdempotency(deps: IdempotencyDeps): Idempotency {
  const executions = new LocalExecutions()
  const scheduleRelease = createReleaser(deps.db, executions)
  const leaveBehind = (keyHash: Buffer, executionId: string) => {
    executions.leaveBehind(keyHash, executionId)
    if (deps.replica) scheduleRelease()
  }
  return {
    async isRetry(scope, key) {
      if (key === undefined) return false
      const { keyHash } = deriveIdempotencySecrets(deps.secret, scope, key)
      if (executions.has(keyHash)) return true
      const known = await findRecord(deps.db, keyHash, deps.clock())
      return known !== undefined && known.failure === null
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
        const attempt = { request, secrets, bodyHash, executions, leaveBehind, end }
        const decision = await decideInDatabase(deps, attempt).catch((error: unknown) => {
          end('abandoned')
          throw error
        })
        if ('execution' in decision) return decision
        end('error' in decision ? decision : 'abandoned')
        if ('error' in decision) throw decision.error
        return decision
      }
    },
  }
}

interface ClaimAttempt {
  request: IdempotentRequest
  secrets: IdempotencySecrets
  bodyHash: Buffer
  executions: LocalExecutions
  leaveBehind: (keyHash: Buffer, executionId: string) => void
  end: (outcome: ExecutionOutcome) => void
}

/** Claims the key; while another process executes the request, waits for what becomes of that. */
async function decideInDatabase(
  deps: IdempotencyDeps,
  attempt: ClaimAttempt,
): Promise<Claim | { error: ServiceError }> {
  const { secrets, bodyHash, request } = attempt
  let execution = await claimInDatabase(deps, attempt)
  for (let pollMs = FIRST_POLL_MS; !execution; pollMs = Math.min(2 * pollMs, MAX_POLL_MS)) {
    const known = await findRecord(deps.db, secrets.keyHash, deps.clock())
    const isSame = known?.body_hash.equals(bodyHash)
    if (known?.failure && isSame) return { error: parseFailure(secrets.unseal(known.failure)) }
    if (!known || known.is_claimable) {
      execution = await claimInDatabase(deps, attempt)
      continue
    }
    refuseOtherBody(known.body_hash, bodyHash)
    if (known.answer) return { answer: secrets.unseal(known.answer) }
    await delay(pollMs, undefined, { signal: request.signal })
  }
  return { execution }
}

/** @returns undefined if another process executes the request or has answered it */
async function claimInDatabase(
  { db, clock, replica }: IdempotencyDeps,
  { request, secrets, bodyHash, executions, leaveBehind, end }: ClaimAttempt,
): Promise<Execution | undefined> {
  const { keyHash } = secrets
  await replica?.ensureAlive()
  const executionId = executions.nextExecutionId(keyHash)
  const now = clock()
  const { deadline, scope } = request
  const record = {
    keyHash,
    bodyHash,
    executionId,
    replicaId: replica?.id ?? null,
    deadline,
    expiresAt: now + RECORD_TTL_MS,
    organizationId: scope.organizationId,
  }
  const isClaimed = await claimRecord(db, record, now).catch((error: unknown) => {
    leaveBehind(keyHash, executionId)
    throw error
  })
  executions.forgetLeftBehind(keyHash)
  if (!isClaimed) return undefined
  return startExecution({ db, clock }, { executionId, secrets, leaveBehind, end })
}

interface StartedExecution extends Pick<ClaimAttempt, 'secrets' | 'leaveBehind' | 'end'> {
  executionId: string
}

function startExecution(
  deps: Pick<IdempotencyDeps, 'db' | 'clock'>,
  { executionId, secrets, leaveBehind, end }: StartedExecution,
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
        if (outcome !== 'stored') await releaseRecord(deps, executionId, { secrets, outcome })
      } catch (error) {
        leaveBehind(secrets.keyHash, executionId)
        throw error
      } finally {
        end(outcome)
      }
    },
  }
}

/** Makes the key free again; duplicates that wait in other replicas find the error. */
async function releaseRecord(
  { db, clock }: Pick<IdempotencyDeps, 'db' | 'clock'>,
  executionId: string,
  {
    secrets,
    outcome,
  }: { secrets: IdempotencySecrets; outcome: Exclude<ExecutionOutcome, 'stored'> },
): Promise<void> {
  const { keyHash } = secrets
  if (outcome === 'abandoned' || !isPostgres(db)) return deleteRecord(db, executionId, keyHash)
  const failure = secrets.seal(serializeFailure(outcome.error))
  await storeFailure(db, executionId, { keyHash, failure, now: clock() })
}
