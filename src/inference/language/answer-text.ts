import type { LlamaModel, Token } from 'node-llama-cpp'
import type { Generation } from './language.js'
import { summarizeLogprobs } from './summarize-logprobs.js'

/** After this many tokens, bytes that form no character count as broken; a character takes at most four. */
const MAX_PENDING_TOKENS = 8
/** Preceding tokens that some tokenizers need to decide on a space. */
const LOOK_BACK = 3
const BROKEN_CHARACTER = /\uFFFD+$/u

export interface AnswerLimits {
  maxTokens: number
  /** Texts that end the answer and are not part of it. */
  stop: readonly string[]
}

/** Assembles the text of one answer from its tokens. */
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

  /** @param prompt - tokens before the answer */
  constructor(model: LlamaModel, prompt: readonly Token[], limits: AnswerLimits) {
    this.#model = model
    this.#limits = limits
    this.#recent = prompt.slice(-LOOK_BACK)
  }

  /**
   * Appends the next token; false when the answer ends with it.
   * @param probability - of the token in the distribution it was sampled from, in [0, 1]
   */
  take(token: Token, probability: number): boolean {
    this.#generatedTokens += 1
    this.#logprobs.push(Math.log(probability))
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

  /** The answer so far: whole characters, without the stop text. */
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
