import type { InferenceCall } from '../inference/call.js'
import { cosine, type TextSimilarity } from '../text/text-similarity.js'
import { GOALS } from './goals.js'
import type { Term } from './person.js'
import { TRAIT_PAIRS } from './traits.js'

/** Captions of every goal and trait. */
export const TOPIC_CAPTIONS: readonly string[] = [
  ...GOALS.flatMap((goal) => goal.captions),
  ...TRAIT_PAIRS.flatMap((pair) => [...pair.left, ...pair.right]),
]

/** How strongly any of some terms speaks of any of some captions, in [0, 1]. */
export type TopicStrengths = (terms: readonly Term[], captions: readonly string[]) => number

// In deviations above unrelated texts: a sentence about something else stays below 1.5, a paraphrase reaches 4.
const SILENT = 1.5
const OUTSPOKEN = 4

/** Prepares the captions of all topics for comparison. */
export async function loadTopics(
  captions: readonly string[],
  similarity: TextSimilarity,
  call: InferenceCall,
): Promise<TopicStrengths> {
  const embeddings = await similarity.embed(captions, call)
  const embeddingOf = new Map(captions.map((caption, i) => [caption, embeddings[i]!]))
  return (terms, wanted) => {
    const deviations = terms.flatMap((term) =>
      wanted.map((caption) =>
        similarity.standardize(cosine(term.embedding, embeddingOf.get(caption)!)),
      ),
    )
    const best = Math.max(SILENT, ...deviations)
    return Math.min(1, (best - SILENT) / (OUTSPOKEN - SILENT))
  }
}
