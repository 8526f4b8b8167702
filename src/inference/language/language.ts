import type { InferenceCall } from '../inference-call.js'

/** One turn of a chat. `text` is always plain text: control tokens in it are never parsed. */
export interface ChatTurn {
  role: 'system' | 'user' | 'assistant'
  text: string
}

export interface Sampling {
  temperature: number
  /** Drops tokens below this fraction of the top probability; in [0, 1]. */
  minP: number
  topP?: number
  seed: number
}

export interface GenerationRequest {
  turns: ChatTurn[]
  /** Text that the answer begins with; not part of the returned text. */
  prefill?: string
  maxTokens: number
  sampling: Sampling
  /** Generation ends before any of these texts, and at the model's end tokens. */
  stop: string[]
  /** On whose account, so that long prompts of one do not hold up the answers of another. */
  tenant?: string
}

export interface Generation {
  text: string
  /** `stop`: the model ended it; `length`: maxTokens was reached. */
  finishReason: 'stop' | 'length'
  promptTokens: number
  /** Prompt tokens cached in a sequence by an earlier call. */
  cachedTokens: number
  generatedTokens: number
  /**
   * Mean and minimum natural logarithm of the sampled tokens' probabilities, after temperature, top-k and min-p; 0 is certain.
   */
  logprob: { mean: number; min: number }
}

/** The language model as callers see it; it runs in the language worker. */
export interface LanguageModel {
  /**
   * Generates the next assistant turn. Calls with a common prompt prefix share its evaluation.
   * @throws ServiceError `model_unavailable`, `overloaded`; `invalid_request` when the prompt exceeds the context window
   */
  generate(request: GenerationRequest, call: InferenceCall): Promise<Generation>
}

/** Methods of the language worker. */
export type LanguageMethods = {
  generate: { request: GenerationRequest; result: Generation }
}
