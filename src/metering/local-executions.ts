import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { ServiceError } from '../core/service-error.js'

/** Executions remembered while the database cannot be written; the records of others are retaken after their deadlines. */
const MAX_LEFT_BEHIND = 10_000

export type ExecutionOutcome = 'stored' | 'abandoned' | { error: ServiceError }

/** An execution that is over and may still have a record without an answer. */
export interface LeftBehind {
  keyHash: Buffer
  executionId: string
}

/** Executions of this process by the hash of their key. */
export class LocalExecutions {
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

  /** Up to `count` that were left behind; from now on their ids are not used again. */
  takeLeftBehind(count: number): LeftBehind[] {
    const taken = [...this.#leftBehind.entries()].slice(0, count)
    for (const [id] of taken) this.#leftBehind.delete(id)
    return taken.map(([id, executionId]) => ({ keyHash: Buffer.from(id, 'hex'), executionId }))
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

/** @throws ServiceError `idempotency_key_reused` unless both bodies are the same */
export function refuseOtherBody(first: Buffer, second: Buffer): void {
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
