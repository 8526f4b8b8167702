/** Model and settings of the language worker. Paths are absolute; it reads no other files. */
export interface LanguageSettings {
  /** Name of the pack, as shown by `/readyz`. */
  pack: string
  /** GGUF file; the first part of a split model. */
  model: string
  /** LoRA adapter as GGUF, applied at full strength. */
  adapter?: string | undefined
  /** Tokens of one call, prompt and answer; limited to the training context of the model. */
  contextSize: number
  /** Texts written in parallel. Each reserves its own context, so memory grows with this. */
  sequences: number
  /** At most the usable cores: beyond them llama.cpp's threads spin against each other, 200 times slower. */
  threads: number
  /** `auto` uses a GPU if there is one; `gpu` fails to load without one. */
  device: 'auto' | 'cpu' | 'gpu'
  /** Layers on the GPU; `auto`: as many as fit. No effect without a GPU. */
  gpuLayers: 'auto' | number
  /** System turn that most calls begin with; evaluated at load so that the first call is fast. */
  system?: string | undefined
  /** Beginning of the user's turn of most calls; evaluated at load as well. */
  opening?: string | undefined
}
