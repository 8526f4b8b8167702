import type { InferenceCall } from '../inference/inference-call.js'
import type { TextSimilarity } from '../profile/text-similarity.js'
import { cosine } from '../text/vectors.js'
import { GOALS } from './goals.js'
import type { Term } from './person.js'
import { ramp } from './ramp.js'
import { TRAIT_PAIRS } from './traits.js'

/** Captions of every goal and trait. */
export const TOPIC_CAPTIONS: readonly string[] = [
  ...GOALS.flatMap((goal) => goal.captions),
  ...TRAIT_PAIRS.flatMap((pair) => [...pair.left, ...pair.right]),
]

/**
 * Closeness of the best pair of a term and a caption: centered embeddings, in deviations above unrelated texts. Minus
 * infinity without terms.
 */
export type TopicCloseness = (terms: readonly Term[], captions: readonly string[]) => number

// A sentence about something else stays below 2, a paraphrase reaches 5.
const UNRELATED = 2
const PARAPHRASE = 5

/** Closeness on a scale of [0, 1]. */
export function topicStrength(closeness: number): number {
  return ramp(closeness, UNRELATED, PARAPHRASE)
}

/** Embeds the captions of all topics. */
export async function loadTopics(
  captions: readonly string[],
  similarity: TextSimilarity,
  call: InferenceCall,
): Promise<TopicCloseness> {
  const { center, standardizeCentered } = similarity
  const embeddings = await similarity.embed(captions, call)
  const centeredOf = new Map(captions.map((caption, i) => [caption, center(embeddings[i]!)]))
  return (terms, wanted) => {
    const cosines = terms.flatMap((term) =>
      wanted.map((caption) => cosine(term.centered, centeredOf.get(caption)!)),
    )
    return standardizeCentered(Math.max(...cosines))
  }
}
