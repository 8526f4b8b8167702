/**
 * A round on all threads counts as held up by other processes when it takes this many times as long as on one undisturbed thread. Not 1:
 * when the whole machine is slow for a while, one thread is no better.
 */
const HELD_UP = 1.5
/** On any busy host single rounds are held up for some 50 ms, and the next rounds make up for the loss. */
const TOLERATED_LOSS_MS = 250
/** One thread is used for this multiple of the lost time, so that at most 5 % of the time is lost. */
const PAUSE_FACTOR = 20

export interface RoundThreadsOptions {
  /** Maximum threads of a round. */
  threads: number
  /** A monotonic clock, in milliseconds. */
  clock?: () => number
}

/**
 * Chooses the threads of each round: all, or one. llama.cpp's threads wait for each other in busy loops a thousand times a round. When
 * other processes occupy some cores, or a container has less CPU time than cores, a round on all threads takes up to 40 s, while one
 * thread only slows down in proportion. One thread is used for a while after rounds on all threads lost more than they gained: with two
 * other busy processes on two cores, three openers at once take 2 s, and without this none is finished within 50 s.
 */
export class RoundThreads {
  readonly #options: Required<RoundThreadsOptions>
  /** Minimum milliseconds of a round on all threads, by number of tokens. */
  readonly #minMs = new Map<number, number>()
  /** Minimum milliseconds a token in rounds of one or two tokens on one thread; larger rounds take no more a token. */
  #tokenMs = Infinity
  /** Milliseconds that held-up rounds lost and later ones did not make up for; never negative. */
  #lostMs = 0
  #pausedUntil = 0

  constructor({ clock = () => performance.now(), ...options }: RoundThreadsOptions) {
    this.#options = { ...options, clock }
  }

  /** Runs a round with the chosen threads and records its duration. */
  async measure(tokens: number, round: (threads: number) => Promise<void>): Promise<void> {
    const { clock } = this.#options
    const startedAt = clock()
    const threads = this.#choose(tokens, startedAt)
    await round(threads)
    const ms = clock() - startedAt
    if (threads > 1) this.#recordRound(tokens, ms)
    else if (tokens <= 2) this.#tokenMs = Math.min(this.#tokenMs, ms / tokens)
  }

  #choose(tokens: number, now: number): number {
    // The first small round runs on one thread, as a reference even when all others are held up.
    const isUnknown = tokens <= 2 && this.#tokenMs === Infinity
    return isUnknown || now < this.#pausedUntil ? 1 : this.#options.threads
  }

  #recordRound(tokens: number, ms: number): void {
    const { threads, clock } = this.#options
    const minMs = Math.min(this.#minMs.get(tokens) ?? Infinity, ms)
    this.#minMs.set(tokens, minMs)
    const oneThreadMs = Math.min(threads * minMs, tokens * this.#tokenMs)
    this.#lostMs = Math.max(0, this.#lostMs + ms - HELD_UP * oneThreadMs)
    if (this.#lostMs <= TOLERATED_LOSS_MS) return
    this.#pausedUntil = clock() + PAUSE_FACTOR * this.#lostMs
    this.#lostMs = 0
  }
}
