/** A round on all threads that takes this many times what one thread needs is held up by other processes. */
const HELD_UP = 3
/** A batch takes at most half the time of its tokens one by one: 3 to 5 ms a token against 9 with SmolLM2-135M. */
const BATCH_GAIN = 2
/** After a round that was held up, one thread is used for this many times its duration: 5 % of the time is lost. */
const PAUSE_FACTOR = 20
const MIN_PAUSE_MS = 5_000

export interface RoundThreadsOptions {
  /** Threads a round may use at most. */
  threads: number
  /** Milliseconds of a clock that only goes forward. */
  clock?: () => number
}

/**
 * Chooses on how many threads of a CPU each round is evaluated: all, or one. Threads of llama.cpp wait for each other
 * in busy loops a thousand times a round. Where other processes take the cores of some, or a container has less time
 * than cores, a round takes up to 40 seconds, while one thread is only slowed down by its share. One is used for a while
 * after a round was held up: with two other busy processes on two cores, three openers at
 * once take 2 s each time, and without this not one is finished within 50 s.
 */
export class RoundThreads {
  readonly #options: Required<RoundThreadsOptions>
  /** The least that one or two tokens took on one thread. */
  #smallRoundMs: number | undefined
  #pausedUntil = 0

  constructor({ clock = () => performance.now(), ...options }: RoundThreadsOptions) {
    this.#options = { ...options, clock }
  }

  /** Runs a round of so many tokens, with the threads it should use, and learns from how long it took. */
  async measure(tokens: number, round: (threads: number) => Promise<void>): Promise<void> {
    const { clock } = this.#options
    const startedAt = clock()
    const threads = this.#choose(tokens, startedAt)
    await round(threads)
    const ms = clock() - startedAt
    if (threads > 1) this.#judge(tokens, ms)
    else if (tokens <= 2) this.#smallRoundMs = Math.min(this.#smallRoundMs ?? Infinity, ms)
  }

  #choose(tokens: number, now: number): number {
    // The first small round is on one thread, to have something to compare with.
    const isUnknown = tokens <= 2 && this.#smallRoundMs === undefined
    return isUnknown || now < this.#pausedUntil ? 1 : this.#options.threads
  }

  #judge(tokens: number, ms: number): void {
    const oneThreadMs = (this.#smallRoundMs ?? Infinity) * Math.max(1, tokens / BATCH_GAIN)
    if (ms <= HELD_UP * oneThreadMs) return
    this.#pausedUntil = this.#options.clock() + Math.max(MIN_PAUSE_MS, PAUSE_FACTOR * ms)
  }
}
