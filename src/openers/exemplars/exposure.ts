import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { OpenerFacts } from '../opener-facts.js'
import type { Exemplar } from './exemplar-group.js'

/** How often one exemplar is released to the users of one organisation in a day. */
export const MAX_PER_DAY = 50
const DAY_MS = 24 * 60 * 60 * 1_000
const MAX_TENANTS = 1_000
const MAX_RECIPIENTS = 100_000

/**
 * Sees to it that nobody reads the same line twice: an exemplar goes to each recipient at most once, and to the users of an
 * organisation a bounded number of times a day. Remembers beginnings, too. All in the memory of this process, recipients by hashes.
 */
export class Exposure {
  readonly #clock: () => number
  readonly #today = new LRUCache<string, DayCounts>({
    max: MAX_TENANTS,
    memoMethod: () => ({ uses: new Map(), beginnings: new Set() }),
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
      isUsedUp: ({ id }) => recipient.has(id) || (today.uses.get(id) ?? 0) >= MAX_PER_DAY,
      beginsAlike: ({ beginning }) => today.beginnings.has(beginning),
      count: ({ id, beginning }) => {
        recipient.add(id)
        today.uses.set(id, (today.uses.get(id) ?? 0) + 1)
        today.beginnings.add(beginning)
      },
    }
  }
}

/** What one recipient, and their organisation today, have got. */
export interface RecipientExposure {
  isUsedUp(exemplar: CountedExemplar): boolean
  /** Whether an opener of today begins with the same words. */
  beginsAlike(exemplar: CountedExemplar): boolean
  count(exemplar: CountedExemplar): void
}

type CountedExemplar = Pick<Exemplar, 'id' | 'beginning'>

/** What an organisation has sent in a day. */
interface DayCounts {
  /** By the place in the library. */
  uses: Map<number, number>
  beginnings: Set<string>
}

/** Recipients are the same when their bio and what their photos show are the same. */
function hashRecipient({ bio, photoElements }: OpenerFacts): string {
  return createHash('sha256')
    .update(JSON.stringify([bio, photoElements]))
    .digest('base64url')
}
