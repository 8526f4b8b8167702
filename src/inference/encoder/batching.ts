import type { Provider } from './open-onnx-session.js'

export interface Batching {
  /** Largest batch of photos. */
  photos: number
  /** Largest batch of texts. */
  texts: number
  /** Runs every batch size once while loading: CUDA chooses its kernels for each new shape. */
  warmEverySize: boolean
  /** Batches of each kind at the same time. */
  concurrency: number
}

/**
 * Measured on two cores: clip-lite takes 8.3 ms for one photo, 6.2 ms each in fours and gains nothing beyond; open-nsfw 8.2 ms, and
 * 5.1 ms in eights. Memory grows by some 15 MB a photo.
 */
export const BATCHING: Record<Provider, Batching> = {
  cpu: { photos: 8, texts: 16, warmEverySize: false, concurrency: 1 },
  cuda: { photos: 32, texts: 32, warmEverySize: true, concurrency: 1 },
}
