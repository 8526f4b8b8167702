import type { LlamaModel, Token } from 'node-llama-cpp'
import type { Generation } from './language.js'

/** Tokens after which bytes that form no character count as broken; each character takes at most four. */
const MAX_PENDING_TOKENS = 8
/** Keeps the logarithm finite. */
const LEAST_SHARE = 1e-6
/** Tokens before a piece that some tokenizers look at to decide on a space. */
const LOOK_BACK = 3
const BROKEN_CHARACTER = /\uFFFD+$/u

export interface AnswerLimits {
  maxTokens: number
  /** Texts that end the answer and are left out of it. */
  stop: readonly string[]
}

/** The text of one answer as its tokens come in. */
export class AnswerText {
  readonly #model: LlamaModel
  readonly #limits: AnswerLimits
  readonly #recent: Token[]
  /** Tokens that end within a character. */
  #pending: Token[] = []
  #text = ''
  #generatedTokens = 0
  #logprobs: number[] = []
  #finishReason: Generation['finishReason'] | undefined

  /** @param prompt - tokens the answer continues */
  constructor(model: LlamaModel, prompt: readonly Token[], limits: AnswerLimits) {
    this.#model = model
    this.#limits = limits
    this.#recent = prompt.slice(-LOOK_BACK)
  }

  /**
   * Takes the next token; false when the answer ends with it.
   * @param share - its part of what it was sampled from, in (0, 1]
   */
  take(token: Token, share: number): boolean {
    this.#generatedTokens += 1
    this.#logprobs.push(Math.log(Math.max(share, LEAST_SHARE)))
    if (this.#model.isEogToken(token)) return this.#finish('stop')
    this.#append(token)
    const stopAt = this.#findStop()
    if (stopAt !== undefined) {
      this.#pending = []
      this.#text = this.#text.slice(0, stopAt)
      return this.#finish('stop')
    }
    if (this.#generatedTokens >= this.#limits.maxTokens) return this.#finish('length')
    return true
  }

  /** The answer so far: whole characters, without what stopped it. */
  get result(): Pick<Generation, 'text' | 'finishReason' | 'generatedTokens' | 'logprob'> {
    return {
      text: this.#text,
      finishReason: this.#finishReason ?? 'length',
      generatedTokens: this.#generatedTokens,
      logprob: summarizeLogprobs(this.#logprobs),
    }
  }

  #append(token: Token): void {
    this.#pending.push(token)
    const piece = this.#model.detokenize(this.#pending, false, this.#recent)
    if (BROKEN_CHARACTER.test(piece) && this.#pending.length < MAX_PENDING_TOKENS) return
    this.#text += piece
    this.#recent.push(...this.#pending)
    this.#recent.splice(0, this.#recent.length - LOOK_BACK)
    this.#pending = []
  }

  #findStop(): number | undefined {
    const found = this.#limits.stop
      .filter((stop) => stop !== '')
      .map((stop) => this.#text.indexOf(stop))
      .filter((index) => index >= 0)
    return found.length > 0 ? Math.min(...found) : undefined
  }

  #finish(reason: Generation['finishReason']): false {
    const rest = this.#model.detokenize(this.#pending, false, this.#recent)
    this.#text += rest.replace(BROKEN_CHARACTER, '')
    this.#finishReason = reason
    return false
  }
}

function summarizeLogprobs(logprobs: readonly number[]): Generation['logprob'] {
  const sum = logprobs.reduce((total, value) => total + value, 0)
  return { mean: sum / Math.max(1, logprobs.length), min: Math.min(0, ...logprobs) }
}
