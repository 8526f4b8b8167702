import type { InferenceCall } from '../../inference/inference-call.js'
import type { TextSimilarity } from '../../profile/text-similarity.js'
import { cosine } from '../../text/vectors.js'
import { contentStems } from '../../text/words.js'

/** Standard deviations above unrelated texts from which two entries mean the same; docs/evaluation.md has examples. */
export const MIN_MATCH_DEVIATIONS = 5

/** Similarity of two texts in standard deviations above unrelated texts. */
export type TextComparison = (left: string, right: string) => number

/** Embeds texts, so that any two of them can be compared. */
export async function createTextComparison(
  texts: readonly string[],
  similarity: TextSimilarity,
  call: InferenceCall,
): Promise<TextComparison> {
  const distinct = [...new Set(texts)]
  const embeddings = await similarity.embed(distinct, call)
  const embeddingOf = new Map(distinct.map((text, i) => [text, embeddings[i]!]))
  return (left, right) =>
    similarity.standardize(cosine(embeddingOf.get(left)!, embeddingOf.get(right)!))
}

/** Counts matches between inferred and labelled entries, nearest first; each entry matches at most once. */
export function countMatches(
  inferred: readonly string[],
  labelled: readonly string[],
  compare: TextComparison,
): number {
  const candidates = inferred
    .flatMap((left) =>
      labelled.map((right) => ({ left, right, score: scoreMatch(left, right, compare) })),
    )
    .filter(({ score }) => score >= MIN_MATCH_DEVIATIONS)
    .sort((a, b) => b.score - a.score)
  const [matchedLeft, matchedRight] = [new Set<string>(), new Set<string>()]
  return candidates.filter(({ left, right }) => {
    if (matchedLeft.has(left) || matchedRight.has(right)) return false
    matchedLeft.add(left)
    matchedRight.add(right)
    return true
  }).length
}

/** Infinite for entries with the same word stems. */
function scoreMatch(left: string, right: string, compare: TextComparison): number {
  const [leftStems, rightStems] = [contentStems(left), contentStems(right)]
  const hasSameStems =
    leftStems.size > 0 &&
    leftStems.size === rightStems.size &&
    [...leftStems].every((stem) => rightStems.has(stem))
  return hasSameStems ? Infinity : compare(left, right)
}
