import { cosine } from '../../dist/text/vectors.js'
import { contentStems } from '../../dist/text/words.js'

/** Standard deviations above unrelated texts from which two entries mean the same; docs/evaluation.md has examples. */
export const SAME = 5

/** @typedef {(left: string, right: string) => number} Alikeness */

/**
 * Deviations above unrelated texts by which two of some texts are alike.
 * @param {readonly string[]} texts
 * @param {import('../../dist/profile/text-similarity.js').TextSimilarity} similarity
 * @param {import('../../dist/inference/call.js').InferenceCall} call
 * @returns {Promise<Alikeness>}
 */
export async function compareTexts(texts, similarity, call) {
  const distinct = [...new Set(texts)]
  const embeddings = await similarity.embed(distinct, call)
  const embeddingOf = new Map(distinct.map((text, i) => [text, embeddings[i]]))
  return (left, right) =>
    similarity.standardize(cosine(embeddingOf.get(left), embeddingOf.get(right)))
}

/**
 * Pairs that mean the same, nearest first, every entry once.
 * @param {readonly string[]} found
 * @param {readonly string[]} labelled
 * @param {Alikeness} alikeness
 */
export function countMatches(found, labelled, alikeness) {
  const candidates = found
    .flatMap((left) =>
      labelled.map((right) => ({ left, right, score: score(left, right, alikeness) })),
    )
    .filter(({ score }) => score >= SAME)
    .sort((a, b) => b.score - a.score)
  const used = new Set()
  return candidates.filter(({ left, right }) => {
    if (used.has(`found ${left}`) || used.has(`labelled ${right}`)) return false
    used.add(`found ${left}`).add(`labelled ${right}`)
    return true
  }).length
}

function score(
  /** @type {string} */ left,
  /** @type {string} */ right,
  /** @type {Alikeness} */ alikeness,
) {
  const [stemsLeft, stemsRight] = [contentStems(left), contentStems(right)]
  const isSameWords =
    stemsLeft.size > 0 &&
    stemsLeft.size === stemsRight.size &&
    [...stemsLeft].every((stem) => stemsRight.has(stem))
  return isSameWords ? Infinity : alikeness(left, right)
}
