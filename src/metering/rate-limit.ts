const WINDOW_MS = 60_000

/**
 * Requests that may be sent for each one that the plan allows, those that are given back included: a busy service does not count a
 * request against the plan, but it does not answer it without end either.
 */
export const ATTEMPTS = 4

/** Decision about a request, and the values of the rate limit headers after it. */
export interface RateLimitDecision {
  allowed: boolean
  limit: number
  /** Requests that would be allowed now. */
  remaining: number
  /** Whole seconds until one more request is allowed. */
  resetSeconds: number
  /** Whole seconds until a refused request may be repeated; 0 if it was allowed. */
  retryAfterSeconds: number
  /** Identifies when the request was counted, for `giveBack`. */
  takenAt: number
}

export interface RateLimiter {
  /**
   * Allows a request unless `limit` requests were allowed, or `ATTEMPTS` times as many were sent, in the previous 60 s.
   * @throws StorageError when the database that counts requests cannot be used
   */
  take(key: string, limit: number, now: number): Promise<RateLimitDecision>
  /** Forgets the request that was allowed at `takenAt`, because the service could not serve it; it stays an attempt. */
  giveBack(key: string, takenAt: number): Promise<void>
  /** Removes keys without a request in the last 60 s. */
  sweep(now: number): Promise<void>
}

/**
 * Creates a rate limiter with an in-memory sliding window log: any 60 s contain at most `limit` requests, and a decision
 * takes amortised constant time. Libraries for Node use fixed windows, allow twice the limit in a window after a pause
 * (token bucket), or scan all times for every request.
 * Source: "sliding window log", https://blog.cloudflare.com/counting-things-a-lot-of-different-things/
 */
export function createRateLimiter(): RateLimiter {
  const requests = new Windows()
  const attempts = new Windows()
  return {
    async take(key, limit, now) {
      const request = requests.take(key, limit, now)
      const attempt = attempts.take(key, ATTEMPTS * limit, now)
      const allowed = request.allowed && attempt.allowed
      const refusedBy = request.allowed ? attempt : request
      const retryAfterSeconds = allowed ? 0 : refusedBy.resetSeconds
      return { ...request, allowed, retryAfterSeconds, takenAt: now }
    },
    async giveBack(key, takenAt) {
      requests.remove(key, takenAt)
    },
    async sweep(now) {
      requests.sweep(now)
      attempts.sweep(now)
    },
  }
}

class Windows {
  readonly #windows = new Map<string, SlidingWindow>()

  take(key: string, limit: number, now: number): WindowDecision {
    let window = this.#windows.get(key)
    if (window?.limit !== limit) {
      window = new SlidingWindow(limit, window)
      this.#windows.set(key, window)
    }
    return window.take(now)
  }

  remove(key: string, time: number): void {
    this.#windows.get(key)?.remove(time)
  }

  sweep(now: number): void {
    for (const [key, window] of this.#windows) if (window.isIdle(now)) this.#windows.delete(key)
  }
}

type WindowDecision = Omit<RateLimitDecision, 'retryAfterSeconds' | 'takenAt'>

/** Ring buffer with the times of the allowed requests; its capacity is the limit. */
class SlidingWindow {
  readonly limit: number
  readonly #times: Float64Array
  #oldest = 0
  #count = 0

  /** @param previous - window of the same key before its limit changed */
  constructor(limit: number, previous?: SlidingWindow) {
    this.limit = limit
    this.#times = new Float64Array(limit)
    for (const time of previous?.times().slice(-limit) ?? []) this.#add(time)
  }

  take(now: number): WindowDecision {
    this.#evict(now)
    const allowed = this.#count < this.limit
    if (allowed) this.#add(now)
    const untilNextMs = this.#at(0) + WINDOW_MS - now
    return {
      allowed,
      limit: this.limit,
      remaining: this.limit - this.#count,
      resetSeconds: Math.ceil(untilNextMs / 1_000),
    }
  }

  /** Removes one request of that time, if it is still in the window. */
  remove(time: number): void {
    let index = this.#count - 1
    while (index >= 0 && this.#at(index) !== time) index -= 1
    if (index < 0) return
    for (; index < this.#count - 1; index++) {
      this.#times[(this.#oldest + index) % this.limit] = this.#at(index + 1)
    }
    this.#count--
  }

  isIdle(now: number): boolean {
    this.#evict(now)
    return this.#count === 0
  }

  times(): number[] {
    return Array.from({ length: this.#count }, (_, index) => this.#at(index))
  }

  #evict(now: number): void {
    // If the clock was set back by more than a window, all requests would be refused until it catches up.
    if (this.#count > 0 && this.#at(this.#count - 1) - now > WINDOW_MS) this.#count = 0
    while (this.#count > 0 && this.#at(0) <= now - WINDOW_MS) {
      this.#oldest = (this.#oldest + 1) % this.limit
      this.#count--
    }
  }

  #add(time: number): void {
    this.#times[(this.#oldest + this.#count) % this.limit] = time
    this.#count++
  }

  #at(index: number): number {
    return this.#times[(this.#oldest + index) % this.limit] ?? 0
  }
}
