import type { EngineName } from '../../../config/language-engine-settings.js'
import type { Sampling } from '../language.js'
import type { JsonClient } from './json-client.js'
import type { ModelIdentity, ModelVariant } from './tokenizer.js'

export interface CompletionRequest {
  /** Token ids: the engine tokenizes no text of a user. */
  prompt: readonly number[]
  maxTokens: number
  sampling: Sampling
  /** Generation ends before any of these texts. */
  stop: readonly string[]
  /** Tokens at which the model ends its turn. */
  endTokens: readonly number[]
  /** Separates the prefix caches of tenants; engines without such a field ignore it. */
  cacheSalt?: string | undefined
}

export interface Completion {
  /** Without the stop text and end tokens. */
  text: string
  finishReason: 'stop' | 'length'
  /** Prompt tokens that the engine had in its cache; 0 if it does not say. */
  cachedTokens: number
  /** Natural logarithms of the probabilities of the sampled tokens, those of the stop text or the end token included. */
  logprobs: number[]
}

/** What an engine is expected to serve. */
export interface ExpectedModel extends Pick<ModelIdentity, 'vocabSize' | 'chatTemplate'> {
  /** LANGUAGE_MODEL. */
  name: string | undefined
  /** The engine may serve any of them. */
  variants: readonly ModelVariant[]
}

/** What differs between engines. Every method throws EngineError, or the reason of the signal. */
export interface EngineProfile {
  name: EngineName
  /**
   * Compares the model of the engine with the expected one, as far as the engine describes it.
   * @returns tokens of prompt and answer together that it takes; undefined if it does not say
   * @throws EngineError `mismatch`
   */
  identify: (
    client: JsonClient,
    expected: ExpectedModel,
    signal: AbortSignal,
  ) => Promise<{ contextSize: number | undefined }>
  /** Tokens of a text that is no user's, control tokens parsed, none added. */
  tokenize: (
    client: JsonClient,
    text: string,
    options: { model: string | undefined; signal: AbortSignal },
  ) => Promise<number[]>
  complete: (
    client: JsonClient,
    request: CompletionRequest,
    options: { model: string | undefined; signal: AbortSignal },
  ) => Promise<Completion>
}

/** As in the language worker; see `parallel-decoder`. */
export const TOP_K = 100

/** Ends within a character are dropped. */
export function withoutBrokenEnd(text: string): string {
  return text.replace(/�+$/u, '')
}
