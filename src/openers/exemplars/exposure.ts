import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { OpenerFacts } from '../opener-facts.js'

/** How often one exemplar is released to the users of one organisation in a day. */
export const MAX_PER_DAY = 50
const DAY_MS = 24 * 60 * 60 * 1_000
const MAX_TENANTS = 1_000
const MAX_RECIPIENTS = 100_000

/**
 * Sees to it that nobody reads the same line twice: an exemplar goes to each recipient at most once, and to the users of an
 * organisation a bounded number of times a day. Counted in the memory of this process, by hashes.
 */
export class Exposure {
  readonly #clock: () => number
  readonly #today = new LRUCache<string, Map<number, number>>({
    max: MAX_TENANTS,
    memoMethod: () => new Map(),
  })
  readonly #recipients = new LRUCache<string, Set<number>>({
    max: MAX_RECIPIENTS,
    memoMethod: () => new Set(),
  })

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** @param tenant - organisation and environment */
  of(tenant: string, facts: OpenerFacts): RecipientExposure {
    const today = this.#today.memo(`${tenant} ${Math.floor(this.#clock() / DAY_MS)}`)
    const recipient = this.#recipients.memo(`${tenant} ${hashRecipient(facts)}`)
    return {
      isUsedUp: (id) => recipient.has(id) || (today.get(id) ?? 0) >= MAX_PER_DAY,
      count: (id) => {
        recipient.add(id)
        today.set(id, (today.get(id) ?? 0) + 1)
      },
    }
  }
}

/** What one recipient, and their organisation today, have got. */
export interface RecipientExposure {
  isUsedUp(id: number): boolean
  count(id: number): void
}

/** Recipients are the same when their bio and what their photos show are the same. */
function hashRecipient({ bio, photoElements }: OpenerFacts): string {
  return createHash('sha256')
    .update(JSON.stringify([bio, photoElements]))
    .digest('base64url')
}
