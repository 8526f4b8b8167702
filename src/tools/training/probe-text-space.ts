import type { InferenceCall } from '../../inference/call.js'
import type { TextSimilarity } from '../../profile/text-similarity.js'

const TEXT = 'A probe of the text space, neither kind nor unkind.'

/** What a fit keeps to recognize the text space that it belongs to: a text and its embedding, rounded to four decimals. */
export async function probeTextSpace(
  { embed }: Pick<TextSimilarity, 'embed'>,
  call: InferenceCall,
): Promise<{ text: string; embedding: number[] }> {
  const [embedding] = await embed([TEXT], call)
  return { text: TEXT, embedding: Array.from(embedding!, (value) => Math.round(value * 1e4) / 1e4) }
}
