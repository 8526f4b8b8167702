const WINDOW_MS = 60_000

/** The answer to one request, and what the rate limit headers say after it. */
export interface RateLimitDecision {
  allowed: boolean
  limit: number
  /** Requests that would be let in now. */
  remaining: number
  /** Whole seconds until one more is let in. */
  resetSeconds: number
}

export interface RateLimiter {
  /** Lets a request in unless `limit` were in the 60 s before it; refused ones do not count. */
  take(key: string, limit: number, now: number): RateLimitDecision
  /** Forgets keys without a request in the last 60 s. */
  sweep(now: number): void
}

/**
 * A sliding window over the exact times of requests, in memory: any 60 s have at most `limit` of them, and one
 * decision costs the same whatever the limit. The libraries for Node count fixed windows, admit twice the limit in a
 * window after a pause (token bucket), or walk all times for every request.
 * Source: "sliding window log", https://blog.cloudflare.com/counting-things-a-lot-of-different-things/
 */
export function createRateLimiter(): RateLimiter {
  const windows = new Map<string, SlidingWindow>()
  return {
    take(key, limit, now) {
      let window = windows.get(key)
      if (window?.limit !== limit) {
        window = new SlidingWindow(limit, window)
        windows.set(key, window)
      }
      return window.take(now)
    },
    sweep(now) {
      for (const [key, window] of windows) if (window.isIdle(now)) windows.delete(key)
    },
  }
}

/** The times of the requests let in, in a ring of as many places as the limit. */
class SlidingWindow {
  readonly limit: number
  readonly #times: Float64Array
  #oldest = 0
  #count = 0

  constructor(limit: number, before?: SlidingWindow) {
    this.limit = limit
    this.#times = new Float64Array(limit)
    for (const time of before?.times().slice(-limit) ?? []) this.#add(time)
  }

  take(now: number): RateLimitDecision {
    this.#forget(now)
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

  isIdle(now: number): boolean {
    this.#forget(now)
    return this.#count === 0
  }

  times(): number[] {
    return Array.from({ length: this.#count }, (_, index) => this.#at(index))
  }

  #forget(now: number): void {
    // A clock set back by more than a window would refuse everything until it has caught up.
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
