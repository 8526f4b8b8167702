import { SERVICE_TENANT, type Tenant } from '../../organizations/tenant.js'
import { PRIORITIES, type Priority } from '../inference-call.js'

/** So long after its last entry a tenant still counts as one of those who share. */
const SHARED_MS = 60_000

/** Whose entry it is, and its order among the entries of that tenant. */
export interface Rank {
  tenant: Tenant
  priority: Priority
}

/** What one tenant has waiting and has used; in memory only while it matters. */
interface Account<T> {
  weight: number
  /** Service time received divided by weight, in milliseconds. */
  received: number
  running: number
  /** By priority, oldest first. */
  waiting: Record<Priority, T[]>
}

/**
 * Decides which waiting entry is served next: one of the tenant that has received the least service for its weight, and of that
 * tenant's entries the oldest of the highest priority. A tenant that was idle gains no credit for it.
 *
 * This is start-time fair queuing with measured service times: Goyal, Vin, Cheng, "Start-time Fair Queuing", SIGCOMM 1996.
 */
export class FairOrder<T> {
  readonly #accounts = new Map<string, Account<T>>()
  /** What the tenant served last had received when its entry started: an idle tenant starts from there. */
  #floor = 0
  #size = 0
  /** When each tenant last added an entry, by `performance.now()`; the latest last. */
  readonly #seenAt = new Map<string, number>()

  /** Entries that wait. */
  get size(): number {
    return this.#size
  }

  add({ tenant, priority }: Rank, entry: T): void {
    this.#accountOf(tenant).waiting[priority].push(entry)
    this.#size += 1
    if (tenant === SERVICE_TENANT) return
    this.#seenAt.delete(tenant.id)
    this.#seenAt.set(tenant.id, performance.now())
  }

  /**
   * Takes the next entry out of the order.
   * @param estimateMs - expected service time, charged at once so that entries served at the same time are shared fairly too
   * @param maxRunning - entries of one tenant that may be in service
   */
  takeNext(estimateMs: number, maxRunning = Infinity): T | undefined {
    let least: Account<T> | undefined
    for (const account of this.#accounts.values()) {
      if (countWaiting(account) === 0 || account.running >= maxRunning) continue
      if (!least || account.received < least.received) least = account
    }
    const entry = least && PRIORITIES.map((priority) => least.waiting[priority]).find(isFilled)
    if (!least || !entry) return undefined
    this.#floor = least.received
    least.received += estimateMs / least.weight
    least.running += 1
    this.#size -= 1
    return entry.shift()
  }

  /**
   * Ends the service of an entry that `takeNext` returned.
   * @param differenceMs - service time minus the estimate
   */
  end(tenant: Tenant, differenceMs: number): void {
    const account = this.#accountOf(tenant)
    account.running -= 1
    account.received += differenceMs / account.weight
    this.#forgetIdle()
  }

  /** Removes a waiting entry; false when it does not wait. */
  remove({ tenant, priority }: Rank, entry: T): boolean {
    const waiting = this.#accounts.get(tenant.id)?.waiting[priority] ?? []
    const index = waiting.indexOf(entry)
    if (index < 0) return false
    waiting.splice(index, 1)
    this.#size -= 1
    this.#forgetIdle()
    return true
  }

  /** Tenants that have added entries within the last minute. */
  countTenants(): number {
    const oldest = performance.now() - SHARED_MS
    for (const [id, seenAt] of this.#seenAt) {
      if (seenAt >= oldest) break
      this.#seenAt.delete(id)
    }
    return this.#seenAt.size
  }

  /** Everything that waits, in no particular order. */
  entries(): T[] {
    return [...this.#accounts.values()].flatMap(({ waiting }) =>
      PRIORITIES.flatMap((p) => waiting[p]),
    )
  }

  /** Entries of the tenant that wait. */
  waitingOf({ id }: Tenant): number {
    const account = this.#accounts.get(id)
    return account ? countWaiting(account) : 0
  }

  /**
   * How many entries are served before another one of this rank would be, at most: the tenant's own, and of every other tenant as
   * many as its weight allows in the meantime.
   */
  countAhead({ tenant, priority }: Rank): number {
    const atLeast = PRIORITIES.slice(0, PRIORITIES.indexOf(priority) + 1)
    const own = this.#accounts.get(tenant.id)
    const ownAhead = own ? atLeast.reduce((sum, each) => sum + own.waiting[each].length, 0) : 0
    let ahead = ownAhead
    for (const [id, account] of this.#accounts) {
      if (id === tenant.id) continue
      const share = Math.ceil(((ownAhead + 1) * account.weight) / tenant.weight)
      ahead += Math.min(countWaiting(account), share)
    }
    return ahead
  }

  /**
   * The newest, least important entry of the tenant that has the most waiting for its weight, if that is more than this tenant
   * would have with one more entry: the one to give way when there is no room for both.
   */
  findLongest({ id, weight }: Tenant): T | undefined {
    let most = (this.waitingOf({ id, weight }) + 1) / weight
    let longest: Account<T> | undefined
    for (const account of this.#accounts.values()) {
      const waiting = countWaiting(account) / account.weight
      if (waiting > most) [most, longest] = [waiting, account]
    }
    return (
      longest &&
      PRIORITIES.map((each) => longest.waiting[each])
        .findLast(isFilled)
        ?.at(-1)
    )
  }

  #accountOf({ id, weight }: Tenant): Account<T> {
    let account = this.#accounts.get(id)
    if (!account) {
      account = { weight, received: 0, running: 0, waiting: { match: [], openers: [], batch: [] } }
      this.#accounts.set(id, account)
    }
    if (isIdle(account)) account.received = Math.max(account.received, this.#floor)
    // A changed plan applies to the next entry.
    account.weight = weight
    return account
  }

  /** An idle account is kept only while it has received more than others: otherwise a new one would be the same. */
  #forgetIdle(): void {
    const accounts = [...this.#accounts.values()]
    if (accounts.every(isIdle)) {
      this.#accounts.clear()
      return
    }
    for (const [id, account] of this.#accounts) {
      if (isIdle(account) && account.received <= this.#floor) this.#accounts.delete(id)
    }
  }
}

function countWaiting({ waiting }: Account<unknown>): number {
  return waiting.match.length + waiting.openers.length + waiting.batch.length
}

function isIdle(account: Account<unknown>): boolean {
  return account.running === 0 && countWaiting(account) === 0
}

function isFilled(entries: readonly unknown[]): boolean {
  return entries.length > 0
}
