import { setTimeout as sleep } from 'node:timers/promises'
import {
  ConnectionError,
  createProfileClient,
  ProfileServiceError,
  type ProfileClient,
} from 'profile-intelligence-client'
import type { ServiceAddress } from '../../../bench/service/start-service.js'
import { bodyOf, type KeyedCall } from './keyed-call.js'

/** A partner's backend that uses the client library as it comes, with its retries. */
export class PartnerBackend {
  readonly #client: ProfileClient
  readonly #statuses = new Map<number, number>()
  #tries = 0

  constructor(address: ServiceAddress) {
    this.#client = createProfileClient({
      ...address,
      onResponse: ({ status }) => {
        this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1)
      },
      // Only a try again is waited for.
      sleep: async (milliseconds) => {
        this.#tries++
        await sleep(milliseconds)
      },
    })
  }

  /** Sends a call with the retries of the library, and enters what came of it; nothing if that stayed unknown. */
  async send(call: KeyedCall): Promise<void> {
    try {
      call.answer = await this.ask(call)
      call.outcome = 'answered'
    } catch (error) {
      if (isQuotaExceeded(error)) call.outcome = 'refused'
      else if (!isPassing(error)) throw error
    }
  }

  /** Sends calls with at most `atOnce` in flight, each when it is due. */
  async sendAll(
    calls: readonly KeyedCall[],
    { atOnce, dueMs = () => 0 }: { atOnce: number; dueMs?: (index: number) => number },
  ): Promise<void> {
    const startedAt = performance.now()
    let next = 0
    const work = async () => {
      for (let index = next++; index < calls.length; index = next++) {
        const aheadMs = startedAt + dueMs(index) - performance.now()
        if (aheadMs > 0) await sleep(aheadMs)
        await this.send(calls[index]!)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
  }

  /** JSON of the answer. */
  async ask(call: KeyedCall): Promise<string> {
    const { idempotencyKey } = call
    this.#tries++
    return JSON.stringify(
      await this.#client.inferPreferences(bodyOf(call), { idempotencyKey, synthetic: 'never' }),
    )
  }

  /** Answers to single tries: `200 ×41, 503 ×12, no answer ×3`. */
  describeTries(): string {
    const answered = [...this.#statuses.values()].reduce((sum, count) => sum + count, 0)
    return [...this.#statuses, ['no answer', this.#tries - answered] as const]
      .toSorted(([, left], [, right]) => right - left)
      .map(([outcome, count]) => `${outcome} ×${count}`)
      .join(', ')
  }
}

function isQuotaExceeded(error: unknown): boolean {
  return error instanceof ProfileServiceError && error.code === 'quota_exceeded'
}

/** Whether the call may be sent again. */
function isPassing(error: unknown): boolean {
  return (
    error instanceof ConnectionError ||
    (error instanceof ProfileServiceError && error.status >= 500)
  )
}
