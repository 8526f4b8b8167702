/** What the language worker is told to load. Paths are absolute; it reads nothing else. */
export interface LanguageSettings {
  /** Name of the pack, as shown by `/readyz`. */
  pack: string
  /** GGUF file; of a split model the first part. */
  model: string
  /** LoRA adapter as GGUF, applied at full strength. */
  adapter?: string | undefined
  /** Tokens of one call, prompt and answer together; at most what the model was trained on is used. */
  contextSize: number
  /** Texts written at the same time. Each has a context of its own, so memory grows with it. */
  sequences: number
  /** At most the cores this process may use: beyond them llama.cpp spins against itself, 200 times slower. */
  threads: number
  /** `auto` uses a GPU when there is one, `gpu` fails to load without one. */
  device: 'auto' | 'cpu' | 'gpu'
  /** Layers on the GPU; `auto`: as many as fit. Without a GPU it has no effect. */
  gpuLayers: 'auto' | number
  /** System turn that calls begin with; evaluated at load so that the first of them is fast. */
  system?: string | undefined
}
