import type { InferenceSession, Tensor } from 'onnxruntime-node'

/** Output tensor of a run. */
export type ModelOutput = Pick<Tensor, 'type' | 'dims' | 'data'>

/** A model that runs here or at an engine. */
export interface ModelSession {
  readonly inputNames: readonly string[]
  readonly inputMetadata: InferenceSession['inputMetadata']
  /**
   * @param signal - nobody needs the output any more; only a run elsewhere can end early
   * @returns undefined when the model has no such output
   */
  run(
    feeds: Record<string, Tensor>,
    output: string,
    signal?: AbortSignal,
  ): Promise<ModelOutput | undefined>
  release(): Promise<void>
}

export function localSession(session: InferenceSession): ModelSession {
  const { inputNames, inputMetadata } = session
  return {
    inputNames,
    inputMetadata,
    run: async (feeds, output) => (await session.run(feeds, [output]))[output],
    release: () => session.release(),
  }
}
