import type { InferenceCall } from '../inference/inference-call.js'
import type { TextSimilarity } from './text-similarity.js'
import { cosine } from '../text/vectors.js'

/** A text with its embedding, to recognize the text space that weights were trained in. */
export interface SpaceProbe {
  text: string
  embedding: readonly number[]
}

/** Minimum cosine between embeddings by the same model on different machines: int8 results differ. */
const MIN_SAME_SPACE_COSINE = 0.97

/** Whether texts are embedded in the probe's text space. */
export async function isSameTextSpace(
  { text, embedding }: SpaceProbe,
  { embed }: Pick<TextSimilarity, 'embed'>,
  call: InferenceCall,
): Promise<boolean> {
  const [probe] = await embed([text], call)
  return (
    probe!.length === embedding.length &&
    cosine(probe!, Float32Array.from(embedding)) >= MIN_SAME_SPACE_COSINE
  )
}
