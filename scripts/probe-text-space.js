const TEXT = 'A probe of the text space, neither kind nor unkind.'

/**
 * What a fit keeps to know the text space again that it belongs to: a text and its embedding, to four decimals.
 * @param {Pick<import('../dist/profile/text-similarity.js').TextSimilarity, 'embed'>} similarity
 * @param {import('../dist/inference/call.js').InferenceCall} call
 */
export async function probeTextSpace({ embed }, call) {
  const [embedding] = await embed([TEXT], call)
  return { text: TEXT, embedding: Array.from(embedding, (value) => Math.round(value * 1e4) / 1e4) }
}
