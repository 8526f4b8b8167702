import type { InferenceCall } from '../inference/inference-call.js'
import type { LoadedPhotos } from '../photos/load-photos.js'

/** Sends a partial result to a client that asked for a stream; does nothing otherwise. */
export type Emit = (event: string, data: unknown) => void

/** One request, as the use cases receive it. */
export interface Call {
  requestId: string
  /** Whether the answer must have an explanation; only true for test keys. */
  wantsExplanation: boolean
  /** Signal, deadline and priority of this request's model calls. */
  inference: InferenceCall
  /** The photos of the body, fetched. */
  photos: LoadedPhotos
  emit: Emit
}
