import type { ChatTurn } from '../language.js'

/** Files that hold the model of a pack, by name without folder. */
export interface ModelVariant {
  file: string
  adapter?: string | undefined
  parameters: number
  /** Of all tensors. */
  sizeBytes: number
}

/** A text that engine and pack must tokenize alike. */
export interface TokenProbe {
  text: string
  tokens: number[]
}

/** What identifies the model of a pack. */
export interface ModelIdentity {
  vocabSize: number
  chatTemplate: string
  variants: ModelVariant[]
  /** Tokens at which the model ends its turn. */
  endTokens: number[]
  probes: TokenProbe[]
  /** A chat that a model can continue. */
  sample: number[]
  /** Tokens of a call, prompt and answer. */
  contextSize: number
}

/** Settings of the tokenizer worker. Paths are absolute; it reads no other files. */
export interface TokenizerSettings {
  /** Name of the pack, as shown by `/readyz`. */
  pack: string
  /** The weights that an engine may serve; the vocabulary comes from the first. */
  weights: { model: string; adapter?: string | undefined }[]
  /** Limited to the training context of the model. */
  contextSize: number
}

export interface TokenizeRequest {
  turns: ChatTurn[]
  prefill?: string | undefined
}

/** Methods of the tokenizer worker. */
export type TokenizerMethods = {
  tokenize: { request: TokenizeRequest; result: number[] }
}
