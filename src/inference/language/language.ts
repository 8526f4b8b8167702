import type { InferenceCall } from '../call.js'

/** One turn of a chat. `text` is always plain text: control tokens in it are never parsed. */
export interface ChatTurn {
  role: 'system' | 'user' | 'assistant'
  text: string
}

export interface Sampling {
  temperature: number
  /** Tokens less likely than this share of the likeliest one are cut; in [0, 1]. */
  minP: number
  topP?: number
  seed: number
}

export interface GenerationRequest {
  turns: ChatTurn[]
  /** Text the answer is made to begin with; not part of the returned text. */
  prefill?: string
  maxTokens: number
  sampling: Sampling
  /** Generation ends before any of these, besides the model's own end tokens. */
  stop: string[]
}

export interface Generation {
  text: string
  /** `stop`: the model ended it; `length`: maxTokens was reached. */
  finishReason: 'stop' | 'length'
  promptTokens: number
  /** Prompt tokens that were still in a sequence from an earlier call. */
  cachedTokens: number
  generatedTokens: number
  /**
   * Mean and minimum natural logarithm of the sampled tokens' probabilities, after temperature, top-k and min-p; 0 is certain.
   */
  logprob: { mean: number; min: number }
}

/** The language model as the rest of the service sees it; the real one lives in the language worker. */
export interface LanguageModel {
  /**
   * Writes the next assistant turn. Calls that share the beginning of a prompt share its evaluation.
   * @throws ServiceError `model_unavailable`, `overloaded`; `invalid_request` when the prompt outgrows the context window
   */
  generate(request: GenerationRequest, call: InferenceCall): Promise<Generation>
}

/** Methods of the language worker. */
export type LanguageMethods = {
  generate: { request: GenerationRequest; result: Generation }
}
