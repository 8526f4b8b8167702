import type { InferenceCall } from '../inference/call.js'
import type { TextSimilarity } from './text-similarity.js'
import { cosine } from '../text/vectors.js'

/** A text and its embedding, by which the space that something was learnt in is recognised. */
export interface SpaceProbe {
  text: string
  embedding: readonly number[]
}

/** Embeddings of one text by two builds of the same model are alike to this degree: int8 differs between machines. */
const SAME_SPACE = 0.97

/** Whether texts are embedded in the space that a probe is of. */
export async function isSpaceOf(
  { text, embedding }: SpaceProbe,
  { embed }: Pick<TextSimilarity, 'embed'>,
  call: InferenceCall,
): Promise<boolean> {
  const [probe] = await embed([text], call)
  return (
    probe!.length === embedding.length && cosine(probe!, Float32Array.from(embedding)) >= SAME_SPACE
  )
}
