import type { InferenceCall } from '../inference/call.js'

/** Sends a partial result to a client that asked for a stream; does nothing otherwise. */
export type Emit = (event: string, data: unknown) => void

/** One request as the use cases of profiles see it. */
export interface Call {
  requestId: string
  /** Whether the answer must explain itself; only ever true for test keys. */
  wantsExplanation: boolean
  /** Signal, deadline and priority of model calls on behalf of this request. */
  inference: InferenceCall
  emit: Emit
}
