/**
 * A round on all threads that takes more than this many times what one undisturbed thread needs is held up by other
 * processes. Where a whole machine is slow for a while, one thread is no better, so that this is not 1.
 */
const HELD_UP = 1.5
/** Single rounds are held up for some 50 ms on any busy host; what they lose, the next ones make up for. */
const TOLERATED_LOSS_MS = 250
/** One thread is used for this many times what was lost: 5 % of the time. */
const PAUSE_FACTOR = 20

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
 * after rounds on all of them lost more than they gained: with two other busy processes on two cores, three openers at
 * once take 2 s each time, and without this not one is finished within 50 s.
 */
export class RoundThreads {
  readonly #options: Required<RoundThreadsOptions>
  /** The least milliseconds that a round of so many tokens took on all threads. */
  readonly #leastMs = new Map<number, number>()
  /** The least for each token of a round of one or two on one thread; in larger rounds a token takes about as long or less. */
  #tokenMs = Infinity
  /** What held-up rounds lost and later ones did not make up for; never negative. */
  #lostMs = 0
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
    else if (tokens <= 2) this.#tokenMs = Math.min(this.#tokenMs, ms / tokens)
  }

  #choose(tokens: number, now: number): number {
    // The first small round is on one thread, to have something to compare with even where all others are held up.
    const isUnknown = tokens <= 2 && this.#tokenMs === Infinity
    return isUnknown || now < this.#pausedUntil ? 1 : this.#options.threads
  }

  #judge(tokens: number, ms: number): void {
    const { threads, clock } = this.#options
    const leastMs = Math.min(this.#leastMs.get(tokens) ?? Infinity, ms)
    this.#leastMs.set(tokens, leastMs)
    const oneThreadMs = Math.min(threads * leastMs, tokens * this.#tokenMs)
    this.#lostMs = Math.max(0, this.#lostMs + ms - HELD_UP * oneThreadMs)
    if (this.#lostMs <= TOLERATED_LOSS_MS) return
    this.#pausedUntil = clock() + PAUSE_FACTOR * this.#lostMs
    this.#lostMs = 0
  }
}
