import type { Token } from 'node-llama-cpp'
import type { Sampling } from './language.js'

/** A prompt and what happens with the tokens that follow it. */
export interface DecodingJob {
  prompt: readonly Token[]
  sampling: Sampling
  /**
   * Receives each sampled token, end tokens too, with its share of what it was sampled from, in (0, 1]; false ends the
   * job.
   */
  take: (token: Token, share: number) => boolean
  signal: AbortSignal
}

interface SampledToken {
  token: Token
  confidence: number
}

export interface DecodingOutcome {
  /** Tokens of the prompt that did not have to be evaluated. */
  cachedTokens: number
}

/** A job on its way through a decoder. */
export class DecodingTask {
  readonly job: DecodingJob
  readonly outcome: Promise<DecodingOutcome>
  cachedTokens = 0
  /** Prompt tokens still to be evaluated. */
  rest: Token[] = []
  /** What follows the prompt, once that is evaluated. */
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
    // Nobody waits after an abort, though the tokens in evaluation are finished first.
    const abort = () => this.fail(job.signal.reason)
    if (job.signal.aborted) abort()
    else job.signal.addEventListener('abort', abort, { once: true })
  }

  /** Whether the outcome is settled, so that no token is wanted any more. */
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
