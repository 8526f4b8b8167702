import type { Token } from 'node-llama-cpp'
import type { Sampling } from './language.js'

/** A prompt and the consumer of the tokens that follow it. */
export interface DecodingJob {
  prompt: readonly Token[]
  sampling: Sampling
  /** On whose account; undefined: the worker's own. */
  tenant?: string | undefined
  /**
   * Receives each sampled token, end tokens included, with its probability in (0, 1]; returns false to end the job.
   */
  take: (token: Token, probability: number) => boolean
  signal: AbortSignal
}

interface SampledToken {
  token: Token
  confidence: number
}

export interface DecodingOutcome {
  /** Prompt tokens served from the cache. */
  cachedTokens: number
}

/** A job in a decoder. */
export class DecodingTask {
  readonly job: DecodingJob
  readonly outcome: Promise<DecodingOutcome>
  cachedTokens = 0
  /** Prompt tokens to evaluate. */
  rest: Token[] = []
  /** The tokens after the prompt, once it is evaluated. */
  sampled: AsyncGenerator<SampledToken, unknown> | undefined
  #isOver = false
  #resolve!: (outcome: DecodingOutcome) => void
  #reject!: (reason: unknown) => void

  constructor(job: DecodingJob) {
    this.job = job
    this.outcome = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    // Settles at once on abort; tokens being evaluated finish first.
    const abort = () => this.fail(job.signal.reason)
    if (job.signal.aborted) abort()
    else job.signal.addEventListener('abort', abort, { once: true })
  }

  /** Whether the outcome is settled and no further token is needed. */
  get isOver(): boolean {
    return this.#isOver
  }

  finish(): void {
    this.#isOver = true
    this.#resolve({ cachedTokens: this.cachedTokens })
  }

  fail(reason: unknown): void {
    this.#isOver = true
    this.#reject(reason)
  }
}
